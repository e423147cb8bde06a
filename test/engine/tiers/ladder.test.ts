import { ObjectId } from 'bson';
import fc from 'fast-check';
import { topStep } from '#engine/tiers/claims';
import { climb, emptyLadder, revokeLevels, setLevel } from '#engine/tiers/ladder';
import { lapse } from '#engine/tiers/lapse';
import { lapseInTime } from '#engine/tiers/lapseInTime';
import type { LadderInput } from '#engine/tiers/levels';
import type { Ladder } from '#records/members/memberTier';

const levels = [
  { name: 'Bronze', number: 1, threshold: 100 },
  { name: 'Silver', number: 2, threshold: 300 },
  { name: 'Gold', number: 3, threshold: 1000 },
];
const june = new Date('2026-06-10T12:00:00.000Z');

function input(fields: Partial<LadderInput['policy']> = {}, now = june): LadderInput {
  const basis = { metric: 'spend', period: 'year' as const };
  return { policy: { _id: new ObjectId(), levels, basis, downgrade: 'full', ...fields }, timezone: 'UTC', now };
}

/** This number of years later at the same hour, plus this number of days. */
const years = (count: number, days = 0) => new Date(Date.UTC(2026 + count, 5, 10 + days, 12));
const yearly = { expiry: { value: 1, unit: 'year' as const } };

const name = (ladder: Ladder) => topStep(ladder)?.level.name;
const at = (value: number, sample = input()) => climb(emptyLadder(sample), value, sample);

describe('reaching levels', () => {
  it.each([
    [99, undefined],
    [100, 'Bronze'],
    [299, 'Bronze'],
    [300, 'Silver'],
    [5000, 'Gold'],
  ])('a value of %d reaches %s', (value, reached) => {
    expect(name(at(value))).toBe(reached);
  });

  it('keeps a level when the value falls, and says since when', () => {
    const ladder = climb(at(300), 10, input({}, years(1)));
    expect(topStep(ladder)).toMatchObject({ level: { name: 'Silver', number: 2 }, since: june });
  });

  it('gives a date only when the policy has an expiry; a jump counts from one instant', () => {
    expect(topStep(at(1000))).not.toHaveProperty('expiresOn');
    expect(at(1000, input(yearly)).steps.map(({ expiresOn }) => expiresOn)).toEqual([years(1), years(1), years(1)]);
  });

  it('reaches levels of any order in the policy, and a new one between', () => {
    const [bronze, silver, gold] = levels;
    if (!bronze || !silver || !gold) throw new RangeError('levels');
    expect(name(at(5000, input({ levels: [gold, bronze, silver] })))).toBe('Gold');
    const platinum = { name: 'Platinum', number: 4, threshold: 2000 };
    expect(name(climb(at(2500), 2500, input({ levels: [...levels, platinum] })))).toBe('Platinum');
  });
});

describe('a level set by a rule', () => {
  const set = (ladder: Ladder, to: string, sample = input()) => {
    const level = levels.find((each) => each.name === to);
    if (!level) throw new RangeError(to);
    return setLevel(ladder, { name: level.name, number: level.number }, sample);
  };

  it('stays above what the metric reaches, and below it until a higher one is reached again', () => {
    expect(name(climb(set(at(100), 'Gold'), 300, input()))).toBe('Gold');
    const lowered = set(at(300), 'Bronze');
    expect(name(climb(lowered, 400, input()))).toBe('Bronze');
    expect(name(climb(lowered, 1000, input()))).toBe('Gold');
  });

  it('may be reached again by the metric of the next period', () => {
    const lowered = set(at(300), 'Bronze');
    expect(name(climb(lowered, 300, input({}, years(1))))).toBe('Silver');
  });

  it('is not taken back, and a renewed one keeps its since', () => {
    const ladder = set(at(300), 'Silver', input(yearly, years(0, 5)));
    expect(topStep(ladder)).toMatchObject({ since: june, expiresOn: years(1, 5), isFirm: true });
    expect(revokeLevels(ladder, () => 0, input()).steps).toEqual(ladder.steps);
  });
});

describe('a level whose date is reached', () => {
  const gold = (fields: Partial<LadderInput['policy']>) => at(1000, input({ ...yearly, ...fields }));
  const elapsed = (fields: Partial<LadderInput['policy']>, value: number, now = years(1)) =>
    lapse(gold(fields), () => value, input({ ...yearly, ...fields }, now));

  it.each([
    ['none', 0, 'Gold'],
    ['one', 0, 'Silver'],
    ['one', 150, 'Silver'],
    ['one', 1000, 'Gold'],
    ['full', 0, undefined],
    ['full', 150, 'Bronze'],
    ['full', 300, 'Silver'],
    ['full', 1000, 'Gold'],
  ] as const)('with downgrade %s and a value of %d it becomes %s', (downgrade, value, becomes) => {
    expect(name(elapsed({ downgrade }, value))).toBe(becomes);
  });

  it('is unchanged a millisecond earlier', () => {
    expect(name(elapsed({}, 0, new Date(years(1).getTime() - 1)))).toBe('Gold');
  });

  it('lapses by a timer at its date, and not a millisecond earlier', () => {
    const moves = (now: Date) => lapseInTime(gold({}), () => 0, input(yearly, now));
    expect([moves(new Date(years(1).getTime() - 1)).length, moves(years(1)).length]).toEqual([0, 1]);
  });

  it('is renewed from its date, not from the run of the timer, and is then not taken back', () => {
    const ladder = elapsed({}, 1000, years(1, 3));
    expect(topStep(ladder)).toMatchObject({ since: june, expiresOn: years(2), isFirm: true });
    expect(ladder.due).toEqual(years(2));
    expect(name(revokeLevels(ladder, () => 0, input()))).toBe('Gold');
  });

  it('counts from now when the next term is over too', () => {
    expect(topStep(elapsed({ downgrade: 'none' }, 0, years(4, 2)))).toMatchObject({ expiresOn: years(5, 2) });
  });

  it('stays for the grace, in which it is renewed once it is reached again', () => {
    const grace = { downgrade: 'full' as const, grace: { value: 30, unit: 'day' as const } };
    const graced = elapsed(grace, 0);
    expect([name(graced), graced.due]).toEqual(['Gold', years(1, 30)]);
    const inGrace = input({ ...yearly, ...grace }, years(1, 10));
    expect(topStep(lapse(graced, () => 1000, inGrace))).toMatchObject({ level: { name: 'Gold' }, expiresOn: years(2) });
    const ended = lapse(graced, () => 100, input({ ...yearly, ...grace }, years(1, 31)));
    expect(topStep(ended)).toMatchObject({ level: { name: 'Bronze' }, since: years(1, 30), expiresOn: years(2, 30) });
  });

  it('loses its date when the policy lost its expiry', () => {
    const ladder = lapse(gold({}), () => 1000, input({}, years(1)));
    expect([topStep(ladder), ladder.due]).toEqual([
      { level: { name: 'Gold', number: 3 }, since: june, isFirm: true, isSet: false },
      undefined,
    ]);
  });
});

describe('taking back after a cancellation', () => {
  it.each([
    [999, 'Silver'],
    [300, 'Silver'],
    [299, 'Bronze'],
    [0, undefined],
    [1000, 'Gold'],
  ])('a value that falls to %d leaves %s', (value, left) => {
    expect(name(revokeLevels(at(1200), () => value, input()))).toBe(left);
  });

  it('decides by the period in which a level was reached, and by the present one', () => {
    const ladder = at(1000);
    const next = input({}, years(1));
    expect(name(revokeLevels(ladder, (date) => (date.getUTCFullYear() === 2026 ? 1000 : 0), next))).toBe('Gold');
    expect(name(revokeLevels(ladder, (date) => (date.getUTCFullYear() === 2026 ? 300 : 0), next))).toBe('Silver');
    expect(name(revokeLevels(ladder, (date) => (date.getUTCFullYear() === 2026 ? 300 : 5000), next))).toBe('Gold');
  });
});

const move = fc.oneof(
  fc.record({ type: fc.constant('climb' as const), value: fc.integer({ min: 0, max: 1500 }) }),
  fc.record({ type: fc.constant('takeBack' as const), value: fc.integer({ min: 0, max: 1500 }) }),
  fc.record({
    type: fc.constant('wait' as const),
    value: fc.integer({ min: 0, max: 1500 }),
    days: fc.integer({ min: 1, max: 500 }),
  }),
  fc.record({ type: fc.constant('set' as const), value: fc.integer({ min: 0, max: 2 }) }),
);
const policies = fc.record({
  downgrade: fc.constantFrom('none' as const, 'one' as const, 'full' as const),
  expiry: fc.option(fc.constant({ value: 90, unit: 'day' as const }), { nil: undefined }),
  grace: fc.option(fc.constant({ value: 10, unit: 'day' as const }), { nil: undefined }),
});

it('steps always rise, a due date is in the future once it is processed, and processing twice changes nothing', () => {
  fc.assert(
    fc.property(policies, fc.array(move, { maxLength: 25 }), (terms, moves) => {
      let now = june;
      let ladder = emptyLadder(input());
      const award = () => {
        const { policy, ...rest } = input({ downgrade: terms.downgrade }, now);
        const { expiry, grace } = terms;
        return { ...rest, policy: { ...policy, ...(expiry ? { expiry } : {}), ...(grace ? { grace } : {}) } };
      };
      for (const { type, value, ...more } of moves) {
        if ('days' in more) now = new Date(now.getTime() + more.days * 86_400_000);
        const level = levels[value];
        if (type === 'climb') ladder = climb(ladder, value, award());
        if (type === 'takeBack') ladder = revokeLevels(ladder, () => value, award());
        if (type === 'set' && level) ladder = setLevel(ladder, { name: level.name, number: level.number }, award());
        ladder = lapse(ladder, () => value, award());
        const numbers = ladder.steps.map((step) => step.level.number);
        expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
        expect(ladder.due === undefined || ladder.due > now).toBe(true);
        expect(lapse(ladder, () => value, award())).toEqual(ladder);
      }
    }),
  );
});
