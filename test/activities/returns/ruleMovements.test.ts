import { ObjectId } from 'bson';
import fc from 'fast-check';
import { planReturn } from '#activities/returns/planReturn';
import { returnedPoints, ruleMovements, splitOverParts } from '#activities/returns/ruleMovements';
import type { StoredEffects } from '#records/activities/activityHistory';
import { scaled } from '../../support/scale';

const [rule, other, member, purse] = Array.from({ length: 4 }, () => new ObjectId());
if (!rule || !other || !member || !purse) throw new RangeError('ids');

const of = { member, purse };
const inputOf = (points: number, n?: number, more: object = { rule }) => ({
  lot: new ObjectId(),
  ...of,
  points,
  returned: 0,
  charged: 0,
  ...(n === undefined ? {} : { n, ...more }),
});
const taken = (points: number, n: number) => ({ lot: new ObjectId(), ...of, points, restored: 0, rule, n });
const debt = (points: number, n: number) => ({ ...of, points, restored: 0, rule, n });
const none = { accrued: [], burned: [], debts: [] };

describe('movements', () => {
  it.each([
    [
      'have one award for the lots of one action for several line items',
      [inputOf(1, 0), inputOf(1, 100), inputOf(1, 200)],
      1,
    ],
    ['have two awards for the lots of two actions', [inputOf(1, 0), inputOf(1, 1)], 2],
    ['have two awards for the lots of two rules', [inputOf(1, 0), inputOf(1, 0, { rule: other })], 2],
    ['have two awards for the points of two coupons', [inputOf(1, 0, {}), inputOf(1, 100, {})], 2],
    ['have two awards for two lots that were stored without their action', [inputOf(1), inputOf(1)], 2],
  ])('%s', (_, accrued, count) => {
    expect(ruleMovements({ ...none, accrued })).toHaveLength(count);
  });

  it('have the debt of a burn before its lots', () => {
    const [burned, owed] = [taken(4, 0), debt(2, 0)];
    expect(ruleMovements({ ...none, burned: [burned], debts: [owed] }).map(({ parts }) => parts)).toEqual([
      [owed, burned],
    ]);
  });
});

describe('a partial return', () => {
  it('takes the lots in order, first those without a replacement', () => {
    const accrued = [inputOf(5, 0), inputOf(5, 100), inputOf(5, 200)];
    const [award] = ruleMovements({ ...none, accrued });
    if (!award) throw new RangeError('award');
    expect([...splitOverParts(award, 7).values()]).toEqual([5, 2, 0]);
    const unfounded = (part: object) => (part === accrued[1] ? 5 : 0);
    expect([...splitOverParts(award, 7, unfounded).values()]).toEqual([2, 5, 0]);
  });
});

/** Awards as lists of the points of lots; each award is an action of its own. */
const someAwards = fc.array(fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 8 }), {
  minLength: 1,
  maxLength: 4,
});

it('several returns by value give back at every step what one return of their sum would', () => {
  fc.assert(
    fc.property(
      someAwards,
      fc.array(fc.nat(30), { maxLength: 12 }),
      fc.integer({ min: 1, max: 200 }),
      (lots, returns, of) => {
        const accrued = lots.flatMap((points, action) =>
          points.map((each, line) => inputOf(each, line * 100 + action)),
        );
        const burned = lots.flatMap((points, action) => points.map((each) => taken(each, action)));
        let effects: StoredEffects = { accrued, burned, debts: [], metrics: [], counters: [] };
        let returned = 0;
        for (const value of returns) {
          returned = Math.min(of, returned + value);
          const part = { returned, of };
          const { totals } = planReturn({ effects }, part);
          effects = {
            ...effects,
            accrued: effects.accrued.map((each) => ({ ...each, returned: totals.get(each) ?? 0 })),
            burned: effects.burned.map((each) => ({ ...each, restored: totals.get(each) ?? 0 })),
          };
          for (const kind of ['given', 'taken'] as const) {
            const awards = ruleMovements(effects).filter((award) => award.kind === kind);
            expect(awards.map(({ parts }) => parts.reduce((sum, each) => sum + returnedPoints(each), 0))).toEqual(
              lots.map((points) => Math.floor((points.reduce((sum, each) => sum + each, 0) * returned) / of)),
            );
            // Lots are returned in order: a lot returns points only after the lots before it returned all of theirs.
            for (const { parts } of awards) {
              const open = parts.findIndex((each) => returnedPoints(each) < each.points);
              expect(open < 0 || parts.slice(open + 1).every((each) => returnedPoints(each) === 0)).toBe(true);
            }
          }
        }
      },
    ),
    { numRuns: scaled(500) },
  );
});
