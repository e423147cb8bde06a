import fc from 'fast-check';
import { type Amount, computeAmount } from '#engine/rules/language/amount';
import { EvaluationError } from '#engine/rules/language/evaluationError';
import { scaled } from '../../../support/scale';

const of = { fact: 'activity', path: '$.value' };
const award = (value: unknown) => () => value;

describe('computeAmount', () => {
  it.each<[string, Amount, unknown, number]>([
    ['a number is itself', 25, undefined, 25],
    ['0.1 times 3 is 0.3, so ten of it are 3', { of, times: 0.1 }, 30, 3],
    ['1.1 times 100 is 110, not 110.00000000000001', { of, times: 1.1, round: 'ceil' }, 100, 110],
    ['0.29 times 100 is 29, not 28', { of, times: 0.29 }, 100, 29],
    ['fractions round down', { of, times: 0.5 }, 3, 1],
    ['fractions round up with ceil', { of, times: 0.5, round: 'ceil' }, 3, 2],
    ['fractions round to the nearest, and halves up, with nearest', { of, times: 0.5, round: 'nearest' }, 3, 2],
    ['fractions round down below zero too', { of, times: 0.5 }, -3, -2],
    ['fractions round up below zero too', { of, times: 0.5, round: 'ceil' }, -3, -1],
    ['each full step of 25 gives 10', { of, every: 25, points: 10 }, 74, 20],
    ['a step may be a fraction', { of, every: 0.1, points: 1 }, 0.3, 3],
    ['thirds do not add a step', { of, every: 3, points: 1 }, 8.999999999999998, 2],
    ['the amount is at least min', { of, times: 1, min: 10 }, 3, 10],
    ['the amount is at most max', { of, times: 1, max: 10 }, 300, 10],
    ['a missing fact gives 0', { of, times: 2 }, undefined, 0],
    ['a missing fact does not give min either', { of, times: 2, min: 10 }, undefined, 0],
    ['null gives 0', { of, every: 2, points: 1 }, null, 0],
  ])('%s', (_, amount, value, expected) => {
    expect(computeAmount(amount, award(value)) + 0).toBe(expected);
  });

  it.each([['ten'], [Number.NaN], [[1]], [true]])('fails for %p, which is no number', (value) => {
    expect(() => computeAmount({ of, times: 1 }, award(value))).toThrow(EvaluationError);
  });

  it('fails instead of giving a number that is not exact', () => {
    expect(() => computeAmount({ of, times: 2 }, award(Number.MAX_SAFE_INTEGER))).toThrow('too large');
  });

  it('gives exactly the whole part of the product, for any money and any factor of cents', () => {
    fc.assert(
      fc.property(fc.nat(1_000_000_000), fc.integer({ min: 1, max: 100_000 }), (value, cents) => {
        const exact = (BigInt(value) * BigInt(cents)) / 100n;
        expect(computeAmount({ of, times: cents / 100 }, award(value))).toBe(Number(exact));
      }),
    );
  });

  it('is exact for whole numbers up to the largest', () => {
    const whole = fc.oneof(fc.maxSafeNat(), fc.nat(1_000_000));
    const factor = fc.integer({ min: 1, max: 100_000 });
    fc.assert(
      fc.property(whole, factor, fc.nat(10), (value, every, points) => {
        const exact = (BigInt(value) / BigInt(every)) * BigInt(points);
        const steps = () => computeAmount({ of, every, points, max: 1_000_000 }, award(value));
        const times = () => computeAmount({ of, times: every, min: 7 }, award(value));
        expect(steps()).toBe(Number(exact > 1_000_000n ? 1_000_000n : exact));
        const product = BigInt(value) * BigInt(every);
        if (product > BigInt(Number.MAX_SAFE_INTEGER)) expect(times).toThrow(EvaluationError);
        else expect(times()).toBe(Math.max(7, Number(product)));
      }),
      { numRuns: scaled(1000) },
    );
  });

  it('counts full steps exactly', () => {
    fc.assert(
      fc.property(fc.nat(1_000_000_000), fc.integer({ min: 1, max: 100_000 }), (value, cents) => {
        const exact = (BigInt(value) * 100n) / BigInt(cents);
        expect(computeAmount({ of, every: cents / 100, points: 1 }, award(value))).toBe(Number(exact));
      }),
    );
  });
});
