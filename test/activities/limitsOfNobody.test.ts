import type { Limit } from '#engine/rules/format/limitShape';
import { runNextSimulation } from '#publishing/simulations/runNextSimulation';
import { addOffer, earnRule, openWorld, type World } from '../support/world';
import { type ActivityApi, activityApi } from './activityApi';

type Per = Limit['per'];
type Fields = Record<string, unknown>;

/** How an activity, or its line item, names what a limit counts by; nothing for what every activity has. */
const subjects: Record<Per, { field: string; ofLine?: true } | undefined> = {
  member: undefined,
  account: undefined,
  program: undefined,
  location: { field: 'srcChannelID' },
  partner: { field: 'partnerCode' },
  product: { field: 'itemSKU', ofLine: true },
  coupon: { field: 'couponCode' },
};
const named = (Object.keys(subjects) as Per[]).flatMap((per) => {
  const subject = subjects[per];
  return subject ? [[per, subject] as const] : [];
});

const limitsOf = (per: Per) => [
  { what: 'points', per, period: 'month', max: 100, onExceed: 'reject' },
  { what: 'times', per, period: { last: 3, unit: 'day' }, max: 1, onExceed: 'reject' },
  { what: 'points', per, period: 'transaction', max: 90, onExceed: 'reduce', limitGroup: `group ${per}` },
];
const ofLine = { of: { fact: 'lineItem', path: '$.itemAmount' } };
const ruleOf = (per: Per, more: object = {}) => ({
  ...earnRule,
  key: per,
  name: per,
  ...(per === 'product' && { perLine: true }),
  conditions: { all: [{ fact: 'activity', path: '$.ext.per', operator: 'equal', value: per }] },
  ...(per === 'product' && { actions: [{ type: 'addPoints', purse: 'Points', points: ofLine }] }),
  limits: limitsOf(per),
  ...more,
});
/** The same rule without limits, for simulations that add them. */
const freeRule = (per: Per, limits: object[]) => ({
  ...ruleOf(per),
  key: `free-${per}`,
  conditions: { all: [{ fact: 'activity', path: '$.ext.per', operator: 'equal', value: `free-${per}` }] },
  limits,
});
const rules = named.flatMap(([per]) => [ruleOf(per), freeRule(per, [])]);

let world: World;
let acting: ActivityApi;

beforeAll(async () => {
  world = await openWorld({ rules });
  world.services.clock.set('2026-03-04T12:00:00.000Z');
  acting = activityApi(world);
  const manager = world.server.as('admin');
  await addOffer(world, 'X');
  await manager.post('/partners', { code: 'X', name: 'X' });
});
afterAll(() => world.close());

/** A purchase that names the subject as given. */
function purchase(per: Per, input: Fields, value = 80, rule: string = per): Fields {
  const { ofLine: isOfLine, field = '' } = subjects[per] ?? {};
  const own = Object.fromEntries(Object.entries(input).map(([, each]) => [field, each]));
  const line = { itemPrice: value, quantity: 1, ...(isOfLine ? own : {}) };
  return { type: 'Accrual', value, ext: { per: rule }, lineItems: [line], ...(isOfLine ? {} : own) };
}

/** Posts it for a new member. @returns the points, or the codes of the errors */
async function buy(per: Per, input: Fields, value = 80, rule: string = per) {
  const { _id: memberID } = await world.addMember();
  const { body } = await acting.post({ ...purchase(per, input, value, rule), memberID });
  const codes = body.result?.errors.map(({ code }: { code: number }) => code) ?? body.errors?.map(() => 'refused');
  return { points: codes.length > 0 ? codes[0] : body.member.purses[0].balance, id: body.result?.data.activityId };
}
const counters = () => world.services.db.collection('limitcounters').countDocuments({ used: { $gt: 0 } });

const nobody: [string, Fields][] = [
  ['absent', {}],
  ['null', { as: null }],
];

test('the table has every subject that a limit can count by', () => {
  expect(named.map(([per]) => per).sort()).toEqual(['coupon', 'location', 'partner', 'product']);
});

describe.each(named)('a limit per %s', (per) => {
  test.each(nobody)('does not apply without one (%s): nothing is shared or counted', async (_, input) => {
    const before = await counters();
    const results = [await buy(per, input), await buy(per, input), await buy(per, input, 200)];
    expect(results.map(({ points }) => points)).toEqual([80, 80, 200]);
    expect(await counters()).toBe(before);
    for (const { id } of results) expect((await acting.history(id)).effects?.counters ?? []).toEqual([]);
    for (const { id } of results) expect((await acting.cancel(id)).body.result.errors).toEqual([]);
    expect(await counters()).toBe(before);
    expect(await acting.mismatches()).toEqual([]);
  });

  test('refuses an empty name', async () => {
    expect((await buy(per, { as: '' })).points).toBe('refused');
  });

  test('applies with one, and a cancel gives it back', async () => {
    const first = await buy(per, { as: 'X' });
    expect(first.points).toBe(80);
    expect((await buy(per, { as: 'X' })).points).toBe(2110);
    expect((await buy(per, {})).points).toBe(80);
    expect((await acting.cancel(first.id)).body.result.errors).toEqual([]);
    expect((await buy(per, { as: 'X' })).points).toBe(80);
  });

  test('works alike in tests of rules', async () => {
    const twice = (input: Fields) => [purchase(per, input), purchase(per, input)];
    const tests = [
      { name: 'nobody', activities: twice({}), expect: { points: { Points: 160 } } },
      { name: 'one', activities: twice({ as: 'X' }), expect: { error: 2110 } },
      {
        name: 'nobody, as a scenario',
        steps: twice({}).map((activity) => ({ activity })),
        expect: { points: { Points: 160 } },
      },
    ];
    const rule = { ...ruleOf(per), tests };
    const { status, body } = await world.server
      .as('program-manager')
      .post('/rules/check', { files: [{ path: 'main/all.json', text: JSON.stringify([rule]) }] });
    expect([status, body.errors ?? []]).toEqual([200, []]);
  });

  test('works alike in simulations', async () => {
    const limits = [{ what: 'points', per, period: 'month', max: 100, onExceed: 'reduce' }];
    const manager = world.server.as('program-manager');
    const lost = async () => {
      const response = await manager.post('/rules/simulate', { rules: [freeRule(per, limits)] });
      expect(response.status).toBe(202);
      await runNextSimulation(world.services);
      const { body } = await manager.send('GET', String(response.headers.get('location')));
      return body.result.points.difference;
    };
    for (let times = 0; times < 2; times += 1) await buy(per, {}, 80, `free-${per}`);
    expect(await lost()).toBe(0);
    for (let times = 0; times < 2; times += 1) await buy(per, { as: 'X' }, 80, `free-${per}`);
    expect(await lost()).toBe(-60);
  });
});
