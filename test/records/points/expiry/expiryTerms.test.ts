import fc from 'fast-check';
import { compileCheck } from '#base/schema/parse';
import { expiryFaults } from '#engine/points/ledger/termsFaults';
import { expiryKinds } from '#records/points/expiry/expiryKinds';
import {
  type ExpiryTerms,
  expiresByInactivity,
  expiryRule,
  expiryTerms,
  knownExpiryKind,
  missingFields,
} from '#records/points/expiry/expiryTerms';
import { quickAjv } from '../../../support/quickAjv';

const types = Object.keys(expiryKinds) as ExpiryTerms['type'][];

const terms: fc.Arbitrary<ExpiryTerms> = fc.record(
  {
    type: fc.constantFrom(...types),
    value: fc.nat({ max: 2 }),
    unit: fc.constantFrom('day', 'year'),
    snap: fc.constantFrom('none', 'endOfYear'),
    month: fc.integer({ min: 1, max: 12 }),
    day: fc.integer({ min: 1, max: 28 }),
  },
  { requiredKeys: ['type'] },
);

test('the document refuses the terms that policies refuse for a field that is missing or 0, and no others', () => {
  const accepts = quickAjv().compile(expiryRule);
  fc.assert(
    fc.property(terms, (some) => {
      expect(accepts(some)).toBe(expiryFaults(some).length === 0);
    }),
  );
});

test('every field of a kind may be in terms, and another one may not', () => {
  const faults = compileCheck(expiryTerms);
  fc.assert(
    fc.property(terms, (some) => {
      expect(faults(some)).toEqual([]);
    }),
  );
  expect(faults({ type: 'none', hour: 1 })).toMatchObject([{ path: 'hour' }]);
  expect(faults({ type: 'moon' })).toMatchObject([{ path: 'type', kind: 'enum' }]);
});

test.each([
  [{ type: 'rolling' }, ['value', 'unit']],
  [{ type: 'rolling', unit: 'day' }, ['value']],
  [{ type: 'rolling', value: 0, unit: 'day' }, []],
  [{ type: 'calendar', month: 1 }, ['day']],
  [{ type: 'none' }, []],
] as const)('%j lacks %j', (some, missing) => {
  expect(missingFields(some)).toEqual(missing);
});

test('points expire by inactivity under terms of that kind alone, and not under those of an unknown kind', () => {
  expect(types.filter((type) => expiresByInactivity({ type }))).toEqual(['inactivity']);
  expect(expiresByInactivity(undefined)).toBe(false);
  expect(expiresByInactivity({ type: 'moon' as ExpiryTerms['type'] })).toBe(false);
});

test('a kind is known by its own name', () => {
  expect(knownExpiryKind('calendar')).toBe(expiryKinds.calendar);
  expect(['constructor', 'moon', 7, undefined].map(knownExpiryKind)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

test('points expire on every day of a leap year, and on no other', () => {
  const faults = compileCheck(expiryTerms);
  const isRefused = (some: ExpiryTerms) => [...faults(some), ...expiryFaults(some)].length > 0;
  for (let month = 0; month <= 13; month += 1) {
    for (let day = 0; day <= 32; day += 1) {
      const date = new Date(Date.UTC(2028, month - 1, day));
      const isDay = date.getUTCFullYear() === 2028 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
      expect([month, day, isRefused({ type: 'calendar', month, day })]).toEqual([month, day, !isDay]);
    }
  }
});
