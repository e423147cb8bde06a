import { setTimeout as sleep } from 'node:timers/promises';
import { collectionOf } from '#base/db/collections';
import { reconcile } from '#members/reconcile/reconcile';
import { activityHistoryResource } from '#records/activities/activityHistory';
import { submissionResource } from '#records/activities/submission';
import type { Member } from '#records/members/member';
import { issuedRewardResource } from '#records/offers/issuedReward';
import { client as clientAt } from '../support/client';
import { type ServiceProcess, startApi, startProcess } from '../support/processes';
import { earnRule, openWorld, type World } from '../support/world';

const isFull = process.env.FAULTS === 'full';
const memberCount = isFull ? 40 : 8;
const purchases = isFull ? 40 : 12;
/** Every fourth purchase gives a choice. */
const choicesEach = purchases / 4;
/** Each offer may be used by a third of the purchases, and one reward by a third of the choices. */
const offerUses = Math.floor((memberCount * purchases) / 3);
const rewardUses = Math.floor((memberCount * choicesEach) / 3);

const value = { of: { fact: 'activity', path: '$.value' }, times: 1 };
const isLarge = { fact: 'activity', path: '$.value', operator: 'greaterThanInclusive', value: 1000 };
const rules = [
  { ...earnRule, actions: [{ type: 'addPoints', purse: 'Points', points: value, pool: { share: 0.5 } }] },
  {
    key: 'offers',
    name: 'Offers',
    activityTypes: ['Accrual'],
    actions: ['DOZEN', 'FIVE', 'TENTH'].map((offer) => ({ type: 'applyOffer', offer })),
  },
  {
    key: 'choose',
    name: 'Choose',
    activityTypes: ['Accrual'],
    conditions: { all: [isLarge] },
    actions: [{ type: 'issueChoice', rewards: ['NIGHT', 'MUG'], validFor: { value: 30, unit: 'day' } }],
  },
  {
    key: 'issued',
    name: 'Issued',
    activityTypes: ['RewardIssued'],
    conditions: { all: [{ fact: 'activity', path: '$.occasion.reward', operator: 'in', value: ['NIGHT', 'MUG'] }] },
    actions: [{ type: 'addPoints', purse: 'Issued', points: 1 }],
  },
];

let world: World;
let head: Member;
let members: Member[];
const running: ServiceProcess[] = [];

beforeAll(async () => {
  world = await openWorld({ rules: [], policies: [{ primary: true }, { name: 'Issued' }] });
  const define = async (path: string, code: string, fields: object) => {
    const body = { code, name: code, program: world.program._id, ...fields };
    expect((await world.server.as('admin').post(`/${path}`, body)).status).toBe(201);
  };
  const points = (worth: number) => ({ discount: { type: 'points', value: worth }, stackGroup: 'extra' });
  await define('offers', 'DOZEN', { ...points(12), uses: { total: offerUses } });
  await define('offers', 'FIVE', { ...points(5), uses: { total: offerUses } });
  await define('offers', 'TENTH', { discount: { type: 'percent', value: 10 } });
  const cost = { purse: 'Points', points: 100, leastPoints: 25, pointValue: 0.5 };
  await define('rewards', 'NIGHT', { cost, uses: { total: rewardUses } });
  await define('rewards', 'MUG', { cost: { purse: 'Points', points: 40 } });
  await define('rewards', 'SPA', { cost, uses: { perMember: 2 } });
  await world.publish(rules);
  head = await world.addMember({ type: 'Pooled' });
  members = await Promise.all(Array.from({ length: memberCount }, () => world.addMember({ familyHead: head._id })));
});

afterAll(async () => {
  for (const each of running) await each.kill();
  await world.close();
});

type Body = Record<string, unknown> & { externalTxnId: string };

const histories = (filter: object = {}) =>
  collectionOf(world.services.db, activityHistoryResource)
    .find({ org: world.services.org._id, ...filter })
    .toArray();
const issuedRewards = (filter: object = {}) =>
  collectionOf(world.services.db, issuedRewardResource)
    .find({ org: world.services.org._id, ...filter })
    .toArray();
const processed = (type: string) =>
  collectionOf(world.services.db, activityHistoryResource).countDocuments({ org: world.services.org._id, type });
const queued = () =>
  collectionOf(world.services.db, submissionResource).countDocuments({ org: world.services.org._id, status: 'Queued' });

async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!(await condition()) && Date.now() < deadline) await sleep(20);
}

/** Starts a worker, which is killed as soon as the condition holds. */
async function workUntil(condition: () => Promise<boolean>): Promise<void> {
  const worker = await startProcess('workers/main.ts', world.services.config);
  running.push(worker);
  await until(condition);
  await worker.kill();
}

/** Posts an activity again, or for the first time. One that is processed already is answered with its result. */
async function accept(body: Body): Promise<void> {
  const { status } = await world.server.as('client').post('/activity?async=true', body);
  expect([200, 202]).toContain(status);
}

/** Posts activities and, as a client that lost answers, each twice at once. */
async function postTwice(bodies: readonly Body[]): Promise<void> {
  for (const body of bodies) await Promise.all([accept(body), accept(body)]);
}

/**
 * Posts activities to an API that is killed after a third of them. Each that was not answered is posted again, to
 * another API; so are those that were answered last, as a client does that lost an answer.
 */
async function postThroughKill(bodies: readonly Body[]): Promise<void> {
  const api = await startApi(world.services.config);
  running.push(api);
  const { token } = world.services.users.client;
  const accepted = new Set<string>();
  const till = clientAt(api.url, token);
  const send = async (body: Body) => {
    const { status } = await till.post('/activity?async=true', body);
    if (status === 202) accepted.add(body.externalTxnId);
  };
  const cutOff = Promise.all(bodies.map((body) => send(body).catch(() => undefined)));
  await until(async () => accepted.size >= bodies.length / 3);
  await api.kill();
  await cutOff;
  const unanswered = bodies.filter(({ externalTxnId }) => !accepted.has(externalTxnId));
  for (const body of [...unanswered, ...bodies.slice(0, 5)]) await accept(body);
}

/** The purchases of a member: values that are odd and even, so that shares are rounded. */
const valuesOf = (member: number) =>
  Array.from({ length: purchases }, (_, n) => (n % 4 === 0 ? 1000 : 100) + ((member + n) % 7));

/** The activities that take a choice: two for each, of which one must be refused. */
async function takings(): Promise<Body[]> {
  const choices = await issuedRewards({ choice: { $exists: true } });
  return choices.flatMap(({ code, member }, n) =>
    ['first', 'second'].map((which) => ({
      type: 'Redemption',
      memberID: member,
      couponCode: code,
      externalTxnId: `${code} ${which}`,
      ...(n % 4 === 0 ? { chosenReward: 'MUG' } : { chosenReward: 'NIGHT', payPoints: 25 + (n % 4) }),
    })),
  );
}

/** Three payments of each member for a reward that it may have twice. */
const payments = (): Body[] =>
  members.flatMap(({ _id }) =>
    [60, 61, 62].map((payPoints) => ({
      type: 'Redemption',
      memberID: _id,
      couponCode: 'SPA',
      payPoints,
      externalTxnId: `spa ${_id} ${payPoints}`,
    })),
  );

async function balances({ _id }: Member) {
  const { body } = await world.server.as('client').get(`/members/${_id}/purses`);
  const of = (name: string): number => body.find((purse: { name: string }) => purse.name === name)?.balance;
  return { points: of('Points'), issued: of('Issued') };
}

/** The points that offers gave in histories, and those that were paid for rewards. */
async function givenAndPaid(memberID: Member['_id']) {
  let [input, paid] = [0, 0];
  for (const { status, couponCode, payPoints, chosenReward, bestOffers = [] } of await histories({ memberID })) {
    for (const { points = 0 } of bestOffers as { points?: number }[]) input += points;
    if (status !== 'Processed' || couponCode === undefined) continue;
    paid += chosenReward === 'MUG' ? 40 : (payPoints ?? 0);
  }
  return input - paid;
}

test('purchases, choices and payments through killed APIs and workers take effect once, within every limit', async () => {
  const bought = members.flatMap(({ _id: memberID }, n) =>
    valuesOf(n).map((each, at) => ({ type: 'Accrual', memberID, value: each, externalTxnId: `buy ${n} ${at}` })),
  );
  const total = bought.length;
  await Promise.all([postThroughKill(bought), workUntil(async () => (await processed('Accrual')) > total / 4)]);
  // The second worker ends the purchases, and is killed in the middle of the choices.
  let wanted = Number.POSITIVE_INFINITY;
  const second = workUntil(async () => (await processed('Redemption')) > wanted / 3);
  const isBought = async () => (await processed('Accrual')) === total && (await queued()) === 0;
  await until(isBought);
  const choices = await issuedRewards({ choice: { $exists: true } });
  expect(choices).toHaveLength(memberCount * choicesEach);

  const taken = [...(await takings()), ...payments()];
  wanted = taken.length;
  await (isFull ? postThroughKill(taken) : postTwice(taken));
  await second;
  await workUntil(async () => (await processed('Redemption')) === taken.length && (await queued()) === 0);

  const all = await histories();
  const posted = all.flatMap(({ externalTxnId, occasion }) => (occasion ? [] : externalTxnId));
  expect([posted.length, new Set(posted).size]).toEqual([total + taken.length, total + taken.length]);
  const usesOf = (code: string) =>
    all.filter(({ bestOffers = [] }) => (bestOffers as { code: string }[]).some((each) => each.code === code)).length;
  expect([usesOf('DOZEN'), usesOf('FIVE'), usesOf('TENTH')]).toEqual([offerUses, offerUses, total]);

  const rewards = await issuedRewards({ choice: { $exists: false } });
  const nights = await world.server.as('client').get('/rewards?code=NIGHT');
  const isNight = ({ reward }: (typeof rewards)[number]) => String(reward) === nights.body[0]._id;
  const wantNight = choices.length - Math.ceil(choices.length / 4);
  expect(rewards.filter(isNight)).toHaveLength(Math.min(rewardUses, wantNight));
  expect(rewards).toHaveLength(Math.min(rewardUses, wantNight) + Math.ceil(choices.length / 4));
  expect(new Set(rewards.map(({ choiceOf }) => String(choiceOf))).size).toBe(rewards.length);
  const used = await issuedRewards({ choice: { $exists: true }, status: 'Used' });
  expect(used).toHaveLength(rewards.length);
  const actual = all.flatMap(({ type, occasion }) =>
    type === 'RewardIssued' && occasion?.reward ? [occasion.code] : [],
  );
  expect(actual.sort()).toEqual(rewards.map(({ code }) => code).sort());
  const spas = all.filter(({ couponCode, status }) => couponCode === 'SPA' && status === 'Processed');
  expect(spas).toHaveLength(2 * memberCount);

  const shares = members.flatMap((_, n) => valuesOf(n).map((each) => Math.floor(each / 2)));
  expect((await balances(head)).points).toBe(shares.reduce((a, b) => a + b));
  for (const [n, member] of members.entries()) {
    const own = valuesOf(n).reduce((sum, each) => sum + each - Math.floor(each / 2), 0);
    const issued = rewards.filter((reward) => reward.member.equals(member._id)).length;
    expect(await balances(member)).toEqual({ points: own + (await givenAndPaid(member._id)), issued });
  }
  expect((await reconcile(world.services, {})).mismatches).toBe(0);
}, 240_000);
