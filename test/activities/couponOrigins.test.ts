import type { Member } from '#records/members/member';
import { ruleWhen } from '../support/ruleWhen';
import { openWorld, type World } from '../support/world';
import { type ActivityApi, activityApi } from './activityApi';

type Body = Record<string, unknown>;

/** A rule for purchases with this key in `ext.rules`. */
const ruled = (key: string, actions: object[], more: object = {}) => ({
  ...ruleWhen(key),
  actions,
  conditions: { all: [{ fact: 'activity', path: '$.ext.rules', operator: 'contains', value: key }] },
  ...more,
});
const apply = (offer: string) => ({ type: 'applyOffer', offer });
const add = (points: number) => ({ type: 'addPoints', purse: 'Points', points });

let world: World;
let acting: ActivityApi;
let member: Member;
/** Ids of offers and rewards by code, and of rules by key. */
const ids: Record<string, string> = {};

const get = async (path: string) => {
  const { status, body } = await world.server.as('admin').get(path);
  if (status !== 200) throw new Error(`${path}: ${JSON.stringify(body)}`);
  return body;
};

beforeAll(async () => {
  world = await openWorld({ rules: [], policies: [{ primary: true }, { name: 'Bonus' }] });
  acting = activityApi(world);
  const define = async (path: string, body: Body) => {
    const answer = await world.server
      .as('admin')
      .post(`/${path}`, { name: body.code, program: world.program._id, ...body });
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
    ids[String(body.code)] = answer.body._id;
  };
  const points = (value: number) => ({ discount: { type: 'points', value } });
  await define('offers', { code: 'FIFTY', ...points(50) });
  await define('offers', { code: 'ONE', ...points(1), stackGroup: 'one' });
  await define('offers', { code: 'TWO', ...points(2), stackGroup: 'one' });
  await define('offers', { code: 'OFF', discount: { type: 'amount', value: 30 } });
  await define('offers', { code: 'TWICE', discount: { type: 'multiplier', value: 2 } });
  await define('rewards', { code: 'MUG', ...points(7), cost: { purse: 'Points', points: 5 } });
  await world.publish([
    ruled('start', [add(100)], { priority: 100 }),
    ruled('fifty', [add(3), apply('FIFTY')]),
    ruled('again', [apply('FIFTY')]),
    ruled('off', [apply('OFF')]),
    ruled('one', [apply('ONE'), apply('TWO')]),
    ruled('twice', [add(4), { ...add(6), purse: 'Bonus' }, apply('TWICE')]),
    ruled('kept', [add(10), apply('FIFTY')], { onReturn: 'keep' }),
    ruled('capped', [add(10), apply('FIFTY')], { limits: [{ what: 'points', per: 'member', period: 'day', max: 15 }] }),
    ruled('sell', [{ type: 'issueReward', reward: 'MUG' }]),
  ]);
  for (const { key, _id } of await get('/rules')) ids[key] = _id;
});
beforeEach(async () => {
  member = await world.addMember();
});
afterAll(() => world.close());

const buy = (rules: string[], fields: Body = {}) =>
  acting.processed('Accrual', member._id, { value: 20, ext: { rules }, ...fields });

/** The items or journal entries of an activity as points, purse and origin. */
async function origins(path: 'accrualitems' | 'journal', activity: string, kind?: string) {
  const found = await get(`/${path}?activity=${activity}&sort=_id`);
  const names = Object.fromEntries(Object.entries(ids).map(([name, id]) => [id, name]));
  const named = (id: unknown) => (id === undefined ? undefined : names[String(id)]);
  return found
    .filter((each: Body) => kind === undefined || each.kind === kind)
    .map((each: Body) => ({
      points: each.accruedPoints ?? each.points,
      rule: named(each.rule),
      offer: named(each.offer),
      reward: named(each.reward),
    }))
    .sort(inOrder);
}
const cases: [string, string[], Body, Body[]][] = [
  [
    'a rule that applies an offer',
    ['fifty'],
    {},
    [
      { points: 3, rule: 'fifty' },
      { points: 50, rule: 'fifty', offer: 'FIFTY' },
    ],
  ],
  [
    'the first of two rules that apply it',
    ['fifty', 'again'],
    {},
    [
      { points: 3, rule: 'fifty' },
      { points: 50, rule: 'fifty', offer: 'FIFTY' },
    ],
  ],
  ['an offer by its code: no rule', [], { couponCode: 'FIFTY' }, [{ points: 50, offer: 'FIFTY' }]],
  [
    'an offer of a line item: no rule',
    [],
    { lineItems: [{ itemPrice: 20, couponCode: 'FIFTY' }] },
    [{ points: 50, offer: 'FIFTY' }],
  ],
  [
    'an offer by its code that a rule applies too',
    ['again'],
    { couponCode: 'FIFTY' },
    [{ points: 50, rule: 'again', offer: 'FIFTY' }],
  ],
  ['the best of its group', ['one'], {}, [{ points: 2, rule: 'one', offer: 'TWO' }]],
  [
    'an offer that gives points in several purses',
    ['twice'],
    {},
    [
      { points: 4, rule: 'twice' },
      { points: 4, rule: 'twice', offer: 'TWICE' },
      { points: 6, rule: 'twice' },
      { points: 6, rule: 'twice', offer: 'TWICE' },
    ],
  ],
  [
    'a reward by its code',
    ['start'],
    { couponCode: 'MUG' },
    [
      { points: 7, reward: 'MUG' },
      { points: 100, rule: 'start' },
    ],
  ],
];
/** Any order that is always the same. */
const inOrder = (a: object, b: object) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
const whole = ({ points, rule, offer, reward }: Body) => ({ points, rule, offer, reward });

test.each(cases)(
  'points name the offer or reward and the rule that gave them: %s',
  async (_name, rules, fields, expected) => {
    const id = await buy(rules, fields);
    const wanted = expected.map(whole).sort(inOrder);
    expect(await origins('accrualitems', id)).toEqual(wanted);
    expect(await origins('journal', id, 'accrue')).toEqual(wanted);
  },
);

test('accrual items and journal entries are found by rule, offer and reward, and show them populated', async () => {
  const id = await buy(['fifty', 'start'], { couponCode: 'MUG' });
  for (const path of ['accrualitems', 'journal']) {
    const of = async (query: string) =>
      (
        await get(
          `/${path}?member=${member._id}&${path === 'journal' ? 'kind=accrue&' : ''}${query}&populate=rule,offer,reward`,
        )
      ).map((each: { rule?: Body; offer?: Body; reward?: Body }) => [
        each.rule?.key,
        each.offer?.code,
        each.reward?.code,
      ]);
    expect((await of(`rule=${ids.fifty}`)).sort(inOrder)).toEqual([
      ['fifty', 'FIFTY', undefined],
      ['fifty', undefined, undefined],
    ]);
    expect(await of(`offer=${ids.FIFTY}`)).toEqual([['fifty', 'FIFTY', undefined]]);
    expect(await of(`reward=${ids.MUG}`)).toEqual([[undefined, undefined, 'MUG']]);
  }
  expect((await acting.history(id)).bestOffers).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ code: 'FIFTY', points: 50, rule: ids.fifty }),
      expect.not.objectContaining({ rule: expect.anything() }),
    ]),
  );
});

test('the cost of a reward names it, and the rule that issued it', async () => {
  const sold = await buy(['start', 'sell']);
  expect(await origins('journal', sold, 'burn')).toEqual([whole({ points: -5, rule: 'sell', reward: 'MUG' })]);
  const [{ code }] = (await acting.history(sold)).result.data.issuedRewards;
  const used = await buy([], { couponCode: code });
  expect(await origins('journal', used)).toEqual([whole({ points: 7, reward: 'MUG' })]);
  const paid = await buy([], { couponCode: 'MUG' });
  expect(await origins('journal', paid, 'burn')).toEqual([whole({ points: -5, reward: 'MUG' })]);
});

describe('the explanation of a rule names the points of its offers', () => {
  const actual: [string, string[], Body, Record<string, string>][] = [
    ['points', ['fifty'], {}, { fifty: 'It fired for 3 points in Points. The offer "FIFTY" gave 50 points.' }],
    ['a discount', ['off'], {}, { off: 'It fired. The offer "OFF" gave a discount of 30.' }],
    [
      'what another rule applied before',
      ['fifty', 'again'],
      {},
      {
        again: 'It fired. The offer "FIFTY" was applied by another rule.',
        fifty: 'It fired for 3 points in Points. The offer "FIFTY" gave 50 points.',
      },
    ],
    [
      'what was not applied',
      ['one'],
      {},
      {
        one: 'It fired. The offer "ONE" was not applied: another of its stack group gives more. The offer "TWO" gave 2 points.',
      },
    ],
    ['nothing when the activity failed', ['fifty'], { couponCode: 'none' }, {}],
  ];
  test.each(actual)('%s', async (_name, rules, fields, expected) => {
    const body = { type: 'Accrual', memberID: member._id, value: 30, ext: { rules }, ...fields };
    const posted = (await acting.post(body, '?explain=true')).body;
    const later = await get(`/activityhistories/${posted.result.data.activityId}/explain`);
    for (const { ruleMatch } of [posted, later]) {
      const fired = ruleMatch.filter((each: Body) => each.fired);
      expect(Object.fromEntries(fired.map(({ key, sentence }: Body) => [key, sentence]))).toEqual(expected);
    }
  });
});

describe('a return treats the points of an offer as points of the offer, not of the rule,', () => {
  const left = async () => await acting.balance(member._id);

  test('and takes their share of a part, whatever the rule says about its own points', async () => {
    const id = await buy(['kept']);
    await acting.cancel(id, { value: 5 });
    expect(await left()).toBe(10 + 38);
    await acting.cancel(id);
    expect(await left()).toBe(0);
  });

  test('so that limits of the rule count its own points only, and are given back with these', async () => {
    const first = await buy(['capped']);
    await buy(['capped']);
    expect(await left()).toBe(10 + 50 + 5 + 50);
    await acting.cancel(first, { value: 10 });
    await buy(['capped']);
    expect(await left()).toBe(5 + 25 + 5 + 50 + 5 + 50);
  });
});

test('the ledgers agree after all of these tests', async () => {
  expect(await acting.mismatches()).toEqual([]);
});
