import { ObjectId } from 'bson';
import { nearestMiss } from '#engine/rules/explain/nearestMiss';
import type { Rule } from '#engine/rules/format/rule';
import { activity, rule } from '../builders';
import { over, replay, worth } from './replay';

describe('nearestMiss', () => {
  const nearest = async (rules: readonly Rule[]) => {
    const { replayed, inOrder } = await replay(rules);
    return nearestMiss(replayed, { rules: inOrder, timezone: 'UTC', worthOf: worth });
  };

  it('is a rule that would refuse the activity only when no other rule failed', async () => {
    const refuses = rule({
      key: 'refuses',
      conditions: { all: [over(200)] },
      actions: [{ type: 'reject', message: 'no' }],
    });
    const awards = rule({ key: 'awards', conditions: { all: [over(200), over(300)] } });
    expect((await nearest([refuses, awards]))?.key).toBe('awards');
    expect((await nearest([refuses]))?.key).toBe('refuses');
  });

  it('is the rule that lacks least by value, and among equals the one that gives most', async () => {
    const give = (key: string, limit: number, points: number) =>
      rule({ key, conditions: { all: [over(limit)] }, actions: [{ type: 'addPoints', purse: 'Points', points }] });
    expect((await nearest([give('far', 1000, 900), give('close', 110, 1), give('further', 120, 50)]))?.key).toBe(
      'close',
    );
    expect((await nearest([give('little', 110, 1), give('much', 110, 50), give('some', 110, 7)]))?.key).toBe('much');
    const branches = { any: [over(900), over(101), over(500)] };
    expect((await nearest([rule({ conditions: branches })]))?.failedConditions).toMatchObject([{ expected: 101 }]);
  });

  it('names what the line item lacks that is nearest by value', async () => {
    const dear = rule({
      key: 'dear',
      perLine: true,
      conditions: { all: [{ fact: 'lineItem', path: '$.itemAmount', operator: 'greaterThan', value: 100 }] },
    });
    const input = activity({ lineItems: [{ itemAmount: 1 }, { itemAmount: 99 }, { itemAmount: 50 }] });
    const { replayed, inOrder } = await replay([dear], { activity: input });
    const miss = nearestMiss(replayed, { rules: inOrder, timezone: 'UTC', worthOf: worth });
    expect(miss?.failedConditions).toMatchObject([{ actual: 99 }]);
  });

  it('is the rule with the fewest failed conditions, the first of equals', async () => {
    const rules = [
      rule({ key: 'far', priority: 9, conditions: { all: [over(200), over(300), over(5)] } }),
      rule({ key: 'near', priority: 8, conditions: { any: [{ all: [over(200), over(201)] }, over(120)] } }),
      rule({ key: 'equal', priority: 7, conditions: { not: over(10) } }),
      rule({ key: 'fires', priority: 6 }),
      rule({ key: 'draft', priority: 5, status: 'draft', conditions: { all: [over(101)] } }),
    ];
    expect(await nearest(rules)).toEqual({
      rule: expect.any(ObjectId),
      key: 'near',
      name: 'Rule near',
      lacking: 1,
      failedConditions: [{ ...over(120), value: undefined, expected: 120, actual: 100 }].map(
        ({ value: _, ...failed }) => failed,
      ),
      sentence: "Rule near lacked one condition: the activity's value is above 120: it was 100.",
    });
  });

  it('counts segments as well, and names every condition', async () => {
    expect(await nearest([rule({ segments: ['VIP'], conditions: { all: [over(200)] } })])).toMatchObject({
      lacking: 2,
      sentence:
        'Rule base lacked 2 conditions: the member is in one of the segments "VIP": it was in none; ' +
        "the activity's value is above 200: it was 100.",
    });
  });

  it('is none when every rule fired', async () => expect(await nearest([rule()])).toBeNull());
});
