import { setTimeout as sleep } from 'node:timers/promises';
import { ObjectId } from 'bson';
import { collectionOf } from '#base/db/collections';
import { reconcile } from '#members/reconcile/reconcile';
import { activityHistoryResource } from '#records/activities/activityHistory';
import { type Fleet, type FleetApi, startFleet } from '../support/fleet';
import { stopwatch } from '../support/givenTime';
import { until } from '../support/until';
import { earnRule, openWorld, redeemRule, type World } from '../support/world';

let world: World;
let fleet: Fleet;

beforeAll(async () => {
  world = await openWorld({ rules: [earnRule, redeemRule] });
});
beforeEach(async () => {
  fleet = await startFleet(world);
}, 60_000);
afterEach(() => fleet.close());
afterAll(async () => {
  const { mismatches } = await reconcile(world.services, { org: world.services.org._id });
  await world.close();
  expect(mismatches).toBe(0);
});

const times = (count: number) => Array.from({ length: count }, (_unused, n) => n);

/** Ten members, and the points that each has by the answers. */
async function makeMembers() {
  const members = await Promise.all(times(10).map(() => world.addMember()));
  return members.map(({ _id }) => ({ _id, balance: 0, refused: 0 }));
}

type Counted = Awaited<ReturnType<typeof makeMembers>>[number];

function clearBalance(member: Counted): Counted {
  member.balance = 0;
  member.refused = 0;
  return member;
}

/** Posts until `end` is called, by ten clients. Each answer is counted at its member. */
function startLoad(api: FleetApi, members: readonly Counted[], withKeys = false) {
  let isEnding = false;
  const answered = { posts: 0, slowestMs: 0, statuses: new Set<number>() };
  /** False when there is no answer, because the process has ended. */
  const post = async (member: Counted, n: number) => {
    const [type, change] = n % 3 === 2 ? ['Redemption', -1] : ['Accrual', 2];
    const key = withKeys ? { externalTxnId: `key ${member._id} ${n}` } : {};
    const takenMs = stopwatch();
    const activity = { type, memberID: member._id, value: Math.abs(change as number), ...key };
    const answer = await api.post('/activity', activity).catch(() => undefined);
    if (!answer) return false;
    answered.posts += 1;
    answered.slowestMs = Math.max(answered.slowestMs, takenMs());
    answered.statuses.add(answer.status);
    if (answer.status === 200) member.balance += change as number;
    else member.refused += 1;
    return true;
  };
  const loops = members.map(async (member) => {
    for (let n = 0; !isEnding; n += 1) if (!(await post(member, n))) return;
  });
  return {
    answered,
    async end() {
      isEnding = true;
      await Promise.all(loops);
    },
  };
}

async function balances(members: readonly Counted[]): Promise<number[]> {
  const client = world.server.as('client');
  return Promise.all(
    members.map(async ({ _id }) => (await client.get(`/members/${_id}/purses`)).body[0]?.balance as number),
  );
}

const countHistories = (members: readonly Counted[]) =>
  collectionOf(world.services.db, activityHistoryResource).countDocuments({
    org: world.services.org._id,
    memberID: { $in: members.map(({ _id }) => new ObjectId(String(_id))) },
  });

/**
 * Every post that was answered with 200 has one effect. A process that is killed or frozen may leave a transaction open.
 * MongoDB keeps its members until the service aborts it; posts for them may get 503 meanwhile.
 */
async function expectOneEffectEach(members: readonly Counted[], answered: { posts: number; statuses: Set<number> }) {
  expect([...answered.statuses].filter((status) => status !== 503)).toEqual([200]);
  const sure = members.filter(({ refused }) => refused === 0);
  expect(await balances(sure)).toEqual(sure.map(({ balance }) => balance));
  const refused = members.reduce((sum, member) => sum + member.refused, 0);
  const histories = await countHistories(members);
  expect(histories).toBeLessThanOrEqual(answered.posts);
  expect(histories).toBeGreaterThanOrEqual(answered.posts - refused);
}

test('redemptions through the owner and another process, of which some are handed over, never overdraw a balance', async () => {
  const member = await world.addMember();
  await fleet.owner.post('/activity', { type: 'Accrual', memberID: member._id, value: 100 });
  const answers = await Promise.all(
    times(200).map((n) =>
      (n % 2 === 0 ? fleet.owner : fleet.other).post('/activity', {
        type: 'Redemption',
        memberID: member._id,
        value: 1,
        externalTxnId: `burn ${n}`,
      }),
    ),
  );
  const codes = answers.flatMap(({ body }) => body.result.errors.map((error: { code: number }) => error.code));
  expect(codes).toEqual(times(100).map(() => 2100));
  expect(await balances([{ _id: member._id, balance: 0, refused: 0 }])).toEqual([0]);
});

test('when the owner is killed, every post through another process is answered and has one effect', async () => {
  const members = await makeMembers();
  const load = startLoad(fleet.other, members);
  await until(async () => load.answered.posts > 200);
  await fleet.owner.kill();
  const killedAt = load.answered.posts;
  await until(async () => load.answered.posts > killedAt + 100);
  await load.end();
  expect(await fleet.handedOver('lost')).toBeGreaterThan(0);
  await expectOneEffectEach(members, load.answered);
});

test('when the owner is frozen, posts are answered in time, and it decides none of them when it wakes', async () => {
  const members = await makeMembers();
  const load = startLoad(fleet.other, members);
  await until(async () => load.answered.posts > 100);
  for (const _round of times(3)) {
    process.kill(fleet.owner.pid, 'SIGSTOP');
    const frozenAt = load.answered.posts;
    await until(async () => load.answered.posts > frozenAt + 50);
    process.kill(fleet.owner.pid, 'SIGCONT');
    const answeredBefore = await fleet.handedOver('answered');
    await until(async () => (await fleet.handedOver('answered')) > answeredBefore + 20);
  }
  await load.end();
  expect(await fleet.handedOver('lost')).toBeGreaterThan(0);
  expect(load.answered.slowestMs).toBeLessThan(7500);
  await sleep(500);
  await expectOneEffectEach(members, load.answered);
});

test('posts with a key that a killed process had handed over take effect once when the owner gets them', async () => {
  const members = await makeMembers();
  const load = startLoad(fleet.other, members, true);
  await until(async () => load.answered.posts > 150);
  await fleet.other.kill();
  await load.end();
  const before = await countHistories(members);
  // At most the last post of each member is not answered, and it may have taken effect.
  expect(before).toBeGreaterThanOrEqual(load.answered.posts);
  expect(before).toBeLessThanOrEqual(load.answered.posts + members.length);
  // All posts again, from the first one on, and then some more.
  const again = startLoad(fleet.owner, members.map(clearBalance), true);
  await until(async () => again.answered.posts > before + 50);
  await again.end();
  expect(again.answered.statuses).toEqual(new Set([200]));
  expect(await countHistories(members)).toBe(again.answered.posts);
  expect(await balances(members)).toEqual(members.map(({ balance }) => balance));
});

test('when the owner stops in order, nothing is refused and nothing is done twice', async () => {
  const members = await makeMembers();
  const load = startLoad(fleet.other, members);
  await until(async () => load.answered.posts > 100);
  expect(await fleet.owner.stop()).toBe(0);
  const stoppedAt = load.answered.posts;
  await until(async () => load.answered.posts > stoppedAt + 50);
  await load.end();
  expect(load.answered.statuses).toEqual(new Set([200]));
  expect(await fleet.handedOver('lost')).toBe(0);
  expect(await balances(members)).toEqual(members.map(({ balance }) => balance));
  expect(await countHistories(members)).toBe(load.answered.posts);
});
