import { ObjectId } from 'bson';
import type { Condition } from '#engine/rules/language/condition';
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
  it("have the day and hour of the activity's date in the time zone of the program", async () => {
    const scene = inNewYork('2026-03-15T03:30:00Z');
    expect(await holds(is('dayOfWeek', 6), scene)).toBe(true);
    expect(await holds(is('hour', 23), scene)).toBe(true);
    expect(await holds(is('dayOfWeek', 0), inNewYork('2026-03-15T04:00:00Z'))).toBe(true);
  });

  it('have the day and hour by the clock of the location too', async () => {
    const at = (name: string, value: number): Condition => ({
      fact: name,
      params: { clock: 'location' },
      operator: 'equal',
      value,
    });
    const scene = inNewYork('2026-03-15T03:30:00Z');
    const inTokyo = { ...scene, enriched: { products: new Map(), location: { timezone: 'Asia/Tokyo' } } };
    expect(await holds(at('hour', 12), inTokyo)).toBe(true);
    expect(await holds(at('dayOfWeek', 0), inTokyo)).toBe(true);
    expect(await holds(is('hour', 23), inTokyo)).toBe(true);
    expect(await holds(at('hour', 23), scene)).toBe(true);
  });

  it.each([
    ['1990-03-14', '2026-03-15T03:30:00Z', true],
    ['1990-03-15', '2026-03-15T03:30:00Z', false],
    ['2000-02-29', '2026-02-28T12:00:00Z', true],
    ['2000-02-29', '2028-02-28T12:00:00Z', false],
    ['2000-02-29', '2028-02-29T12:00:00Z', true],
    [undefined, '2026-03-15T03:30:00Z', false],
  ])('say for a member born %s whether %s is the birthday: %s', async (birthDate, date, expected) => {
    expect(await holds(is('isBirthday', expected), inNewYork(date, { birthDate }))).toBe(true);
  });

  it.each<[unknown, Record<string, unknown>, number | undefined]>([
    ['enrolment', { enrolledAt: new Date('2026-03-14T03:00:00Z') }, 1],
    ['enrolment', { enrolledAt: new Date('2026-03-14T05:00:00Z') }, 0],
    ['enrolment', { enrolledAt: '2026-03-16T12:00:00Z' }, -2],
    ['birthday', { birthDate: '1990-03-14' }, 0],
    ['birthday', { birthDate: '1990-03-15' }, 364],
    ['birthday', { birthDate: '2000-02-29' }, 14],
    ['birthday', {}, undefined],
    [{ tier: 'Status' }, { tierSince: { Status: new Date('2026-01-14T12:00:00Z') } }, 59],
    [{ tier: 'Other' }, { tierSince: { Status: new Date('2026-01-14T12:00:00Z') } }, undefined],
    [{ segment: 'VIP' }, { segmentSince: { VIP: new Date('2026-03-13T12:00:00Z') } }, 1],
    [{ segment: 'VIP' }, { segmentSince: {} }, undefined],
    [{ segment: 'toString' }, { segmentSince: {} }, undefined],
    ['lastVisit', { lastVisit: new Date('2026-03-04T12:00:00Z') }, 10],
    ['lastVisit', {}, undefined],
  ])('count the whole local days since %j of %j: %s', async (of, member, days) => {
    const { decision } = await decideWith(
      [
        rule({
          conditions: { all: [{ fact: 'daysSince', params: { of }, operator: 'equal', value: days ?? 'none' }] },
        }),
      ],
      inNewYork('2026-03-15T03:30:00Z', member),
    );
    expect(decision.errors).toEqual([]);
    expect(decision.factsRead).toMatchObject([{ fact: 'daysSince', params: { of }, value: days }]);
    expect(decision.ruleMatch[0]?.fired).toBe(days !== undefined);
  });

  it.each([
    ['1990-12-31', 12],
    [undefined, undefined],
  ])('have for a member born %s the month %s', async (birthDate, month) => {
    const { decision } = await decideWith(
      [rule({ conditions: { all: [{ fact: 'birthMonth', operator: 'equal', value: 12 }] } })],
      inNewYork('2026-03-15T03:30:00Z', { birthDate }),
    );
    expect(decision.factsRead).toMatchObject([{ fact: 'birthMonth', value: month }]);
  });

  it('know the first activity by the Accruals that were processed before', async () => {
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
