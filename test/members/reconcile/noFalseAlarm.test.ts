import { fc, test as property } from '@fast-check/jest';
import { reconcile } from '#members/reconcile/reconcile';
import type { Member } from '#records/members/member';
import { scaled, seedsOf } from '../../support/scale';
import { openVariedWorld, type VariedWorld } from './variedWorld';

/** Random activity of every kind, through the API. Whatever happened, `reconcile` finds nothing, also while it happens. */
let varied: VariedWorld;
let members: Member[];
/** Activities that were processed, oldest first. */
let done: string[];

beforeAll(async () => {
  varied = await openVariedWorld();
});

afterAll(() => varied.world.close());

const amount = fc.integer({ min: 1, max: 120 });
const place = fc.nat();

/** A step, with random numbers that choose members, activities and amounts. */
type Step = { do: string; value: number; who: number; which: number };

const rulesOfSteps = ['earn', 'earn', 'bonus', 'held', 'pooled', 'count', 'issue', 'spend', 'spend', 'swap', 'send'];
const others = ['coupon', 'cancel', 'cancel', 'return', 'queued', 'day', 'timers', 'rollUp', 'use'];
const rare = ['merge', 'erase', 'byHand', 'account', 'unlink'];

const step: fc.Arbitrary<Step> = fc.record({
  do: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...rulesOfSteps) },
    { weight: 4, arbitrary: fc.constantFrom(...others) },
    { weight: 1, arbitrary: fc.constantFrom(...rare) },
  ),
  value: amount,
  who: place,
  which: place,
});

const pick = <T>(list: readonly T[], n: number): T | undefined => list[n % Math.max(1, list.length)];

async function take({ do: what, value, who, which }: Step): Promise<void> {
  const { world, acting, act } = varied;
  const [client, admin] = [world.server.as('client'), world.server.as('admin')];
  const member = pick(members, who);
  if (!member) return;
  const id = member._id;
  const note = (activity: string | undefined) => void (activity && done.push(activity));
  const [activity, friend] = [pick(done, which), pick(members, which)];
  if (rulesOfSteps.includes(what)) note(await act(id, what, value, { ext: { to: friend?.loyaltyID ?? '' } }));
  else if (what === 'coupon') note(await act(id, 'earn', value, { couponCode: 'TEN' }));
  else if (what === 'cancel') await acting.cancel(activity ?? '');
  else if (what === 'return') await acting.cancel(activity ?? '', { value: Math.ceil(value / 4) });
  else if (what === 'day') world.services.clock.advance(value * 1_200_000);
  else if (what === 'timers') await varied.runTimers();
  else if (what === 'rollUp') await admin.post('/jobs/aggregates/run');
  else if (what === 'merge' && friend && friend !== member) {
    const { status } = await admin.post(`/members/${id}/merge`, { memberIds: [friend._id] });
    if (status === 200) members = members.filter((each) => each !== friend);
  } else if (what === 'erase') {
    await admin.delete(`/members/${id}`);
    members = members.filter((each) => each !== member);
  } else if (what === 'byHand') {
    const dates = { dtEarned: '2026-11-20T00:00:00.000Z' };
    const policy = world.policies[0]?._id;
    await world.server
      .as('ledger-admin')
      .post('/accrualitems', { member: id, purse: policy, accruedPoints: value, ...dates });
  } else if (what === 'account' && friend) {
    const both = [...new Set([member, friend])].map((each) => ({ member: each._id, program: world.program._id }));
    await client.post('/accounts', { members: both });
  } else if (what === 'unlink') {
    const query = encodeURIComponent(JSON.stringify({ 'members.member': id }));
    await client.post(`/accounts/unlink?query=${query}`);
  } else if (what === 'queued') {
    await client.post('/activity?async=true', { type: 'Accrual', memberID: id, value, ext: { rule: 'earn' } });
    await acting.drain();
  } else if (what === 'use') await useReward(member);
}

/** Uses an issued reward of the member, if it has one. */
async function useReward({ _id }: Member): Promise<void> {
  const { body } = await varied.world.server.as('client').get(`/issuedrewards?member=${_id}&status=Issued&limit=1`);
  const used = body[0] && (await varied.act(_id, 'earn', 10, { couponCode: body[0].code }));
  if (used) done.push(used);
}

async function found(): Promise<string[]> {
  const messages: string[] = [];
  const { services, author } = varied.world;
  await reconcile(services, { org: author.org, onMismatch: ({ message }) => messages.push(message) });
  return messages;
}

async function begin(): Promise<void> {
  done = [];
  members = await Promise.all(Array.from({ length: 4 }, () => varied.addMember()));
}

for (const seed of seedsOf(2611)) {
  property.prop([fc.array(step, { minLength: 10, maxLength: 40 })], {
    seed,
    numRuns: scaled(12, seed),
    endOnFailure: true,
  })(`random activities of every kind leave nothing that reconcile finds (seed ${seed})`, async (steps) => {
    await begin();
    for (const each of steps) await take(each);
    expect(await found()).toEqual([]);
    await varied.runTimers();
    expect(await found()).toEqual([]);
  });
}

property.prop([fc.array(step, { minLength: 60, maxLength: 60 })], { numRuns: scaled(4), endOnFailure: true })(
  'random activities raise no alarm while they are posted',
  async (steps) => {
    await begin();
    let isPosting = true;
    const rounds: string[] = [];
    const checking = (async () => {
      while (isPosting) rounds.push(...(await found()));
    })();
    for (const each of steps) await take(each);
    isPosting = false;
    await checking;
    expect(rounds).toEqual([]);
    expect(await found()).toEqual([]);
  },
);
