import { ObjectId } from 'bson';
import type { Condition } from '../../../src/rules/language/condition';
import { activity, decideWith, programId, rule, type Scene, TestTarget } from '../builders';

async function holds(condition: Condition, scene: Scene = {}) {
  const { decision } = await decideWith([rule({ conditions: { all: [condition] } })], scene);
  expect(decision.errors).toEqual([]);
  return decision.ruleMatch[0]?.fired;
}
const is = (fact: string, value: unknown, path?: string): Condition => ({
  fact,
  operator: 'equal',
  value,
  ...(path === undefined ? {} : { path }),
});
const inNewYork = (date: string, member = {}): Scene => ({
  activity: activity({ date: new Date(date) }),
  program: { _id: programId, code: 'demo', timezone: 'America/New_York' },
  target: new TestTarget(0, member),
});

describe('facts', () => {
  it("tell day and hour of the activity's date in the program's time zone", async () => {
    const scene = inNewYork('2026-03-15T03:30:00Z');
    expect(await holds(is('dayOfWeek', 6), scene)).toBe(true);
    expect(await holds(is('hour', 23), scene)).toBe(true);
    expect(await holds(is('dayOfWeek', 0), inNewYork('2026-03-15T04:00:00Z'))).toBe(true);
  });

  it.each([
    ['1990-03-14', '2026-03-15T03:30:00Z', true],
    ['1990-03-15', '2026-03-15T03:30:00Z', false],
    ['2000-02-29', '2026-02-28T12:00:00Z', true],
    ['2000-02-29', '2028-02-28T12:00:00Z', false],
    ['2000-02-29', '2028-02-29T12:00:00Z', true],
    [undefined, '2026-03-15T03:30:00Z', false],
  ])('born %s, at %s it is the birthday: %s', async (birthDate, date, expected) => {
    expect(await holds(is('isBirthday', expected), inNewYork(date, { birthDate }))).toBe(true);
  });

  it('know the first activity by the Accruals processed before', async () => {
    expect(await holds(is('isFirstActivity', true))).toBe(true);
    const target = new TestTarget(0, { processedAccruals: 1 });
    expect(await holds(is('isFirstActivity', false), { target })).toBe(true);
  });

  it('show ids as texts and dates as instants', async () => {
    const locationId = new ObjectId('aaaaaaaaaaaaaaaaaaaaaaaa');
    const scene = { activity: activity({ locationId, lineItems: [{ productId: locationId }] }) };
    expect(await holds(is('activity', 'aaaaaaaaaaaaaaaaaaaaaaaa', '$.locationId'), scene)).toBe(true);
    expect(await holds(is('activity', 'aaaaaaaaaaaaaaaaaaaaaaaa', '$.lineItems[0].productId'), scene)).toBe(true);
    expect(await holds(is('activity', '2026-03-11T13:00:00+01:00', '$.date'), scene)).toBe(true);
    expect(await holds(is('program', 'demo', '$.code'), scene)).toBe(true);
    const now = { fact: 'now', operator: 'equal', value: { fact: 'activity', path: '$.date' } };
    expect(await holds(now, scene)).toBe(true);
  });

  it('give a metric of the member over a period, and record it with its params', async () => {
    const params = { metric: 'spend', period: 'month' };
    const target = new TestTarget(0, {}, { 'spend month': 480, 'spend day': 3 });
    const condition = { ...is('aggregate', 480), params };
    expect(await holds(condition, { target })).toBe(true);
    expect(await holds({ ...condition, params: { ...params, period: 'day' } }, { target })).toBe(false);
    const { decision } = await decideWith([rule({ conditions: { all: [condition] } })], { target });
    expect(decision.factsRead).toEqual([{ fact: 'aggregate', params, priority: 1, value: 480 }]);
  });
});
