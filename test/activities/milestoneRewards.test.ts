import type { Member } from '#records/members/member';
import { earnRule, openWorld, type World } from '../support/world';
import { type ActivityApi, activityApi } from './activityApi';

let world: World;
let acting: ActivityApi;
let member: Member;

/** The reward of a milestone at each 100 spent: ONE has one use for each member, ANY has no limit. */
beforeAll(async () => {
  world = await openWorld({ rules: [] });
  acting = activityApi(world);
  for (const [code, fields] of [
    ['ONE', { uses: { perMember: 1 } }],
    ['ANY', {}],
  ] as const) {
    const made = await world.server.as('admin').post('/rewards', {
      code,
      name: code,
      program: world.program._id,
      ...fields,
    });
    expect(made.status).toBe(201);
  }
  const params = { metric: 'spend', period: 'lifetime', every: 100 };
  await world.publish([
    earnRule,
    {
      ...earnRule,
      key: 'milestone',
      name: 'Milestone',
      conditions: { all: [{ fact: 'crossed', params, operator: 'greaterThan', value: 0 }] },
      actions: ['ONE', 'ANY'].map((reward) => ({ type: 'issueReward', reward })),
    },
  ]);
});
beforeEach(async () => {
  member = await world.addMember();
});
afterAll(() => world.close());

/** Crosses a milestone. Returns the activity, and the codes by reward. */
async function cross() {
  const { body } = await acting.post({ type: 'Accrual', memberID: member._id, value: 100 });
  const { activityId, issuedRewards = [] } = body.result.data;
  const codes = Object.fromEntries(
    issuedRewards.map((each: { reward: string; code: string }) => [each.reward, each.code]),
  );
  return { activityId, codes: codes as Record<string, string> };
}

const use = (couponCode: string | undefined) =>
  acting.processed('Adjustment', member._id, { value: 0, couponCode: couponCode ?? '' });

test('a cancelled milestone whose reward was used gives no second reward when each member has one use', async () => {
  const first = await cross();
  expect(Object.keys(first.codes)).toEqual(['ONE', 'ANY']);
  const uses = [await use(first.codes.ONE), await use(first.codes.ANY)];
  await acting.cancel(first.activityId);
  const second = await cross();
  expect(Object.keys(second.codes)).toEqual(['ANY']);
  await acting.cancel(second.activityId);
  for (const each of uses) await acting.cancel(each);
  expect(Object.keys((await cross()).codes)).toEqual(['ONE', 'ANY']);
  expect(await acting.mismatches()).toEqual([]);
});

test('a reward that was not used is withdrawn with its milestone, and issued at the next one', async () => {
  const first = await cross();
  await acting.cancel(first.activityId);
  expect(Object.keys((await cross()).codes)).toEqual(['ONE', 'ANY']);
});
