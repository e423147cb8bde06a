import { periodNamed } from '#base/calendar/periods';
import { collectionOf } from '#base/db/collections';
import { fillPeriods } from '#members/aggregates/rollUp/fillPeriods';
import { rollUp } from '#members/aggregates/rollUp/rollUp';
import { runFollowUps } from '#members/members/runFollowUps';
import { aggregateCollection } from '#records/aggregates/aggregate';
import type { Member } from '#records/members/member';
import { orgResource } from '#records/users/org';
import { earnRule, openWorld, type World } from '../../../support/world';

let world: World;
beforeAll(async () => {
  world = await openWorld({ rules: [earnRule] });
});
afterAll(() => world.close());

const quarterly = periodNamed('quarterly');
const now = () => world.services.clock.now();
const org = () => world.services.org._id;

const earn = async (member: Member, month: number) => {
  const date = `2025-${String(month).padStart(2, '0')}-15T12:00:00.000Z`;
  const activity = { type: 'Accrual', memberID: member._id, value: month, date };
  expect((await world.server.as('client').post('/activity', activity)).status).toBe(200);
};

/** Restores the state of an earlier version of the service that had no quarters. */
async function forgetQuarters(): Promise<void> {
  const { db } = world.services;
  await aggregateCollection(db, quarterly).deleteMany({ org: org() });
  await collectionOf(db, orgResource).updateOne({ _id: org() }, { $pull: { filledPeriods: 'quarterly' } });
}

/** Sums of quarters by member, computed here from the posted activities. */
const expected = (months: number[]) =>
  [1, 2, 3, 4].map((quarter) => total(months.filter((month) => of(month) === quarter)));
const of = (month: number) => Math.floor((month - 1) / 3) + 1;
const total = (values: number[]) => values.reduce((sum, value) => sum + value, 0);

async function quartersOf(member: Member): Promise<number[]> {
  const found = await aggregateCollection(world.services.db, quarterly)
    .find({ org: org(), memberId: member._id, metricName: 'pointsEarned' })
    .toArray();
  return [1, 2, 3, 4].map((each) =>
    total(found.filter(({ quarter }) => quarter === each).map((row) => row.metricAggValue)),
  );
}

test('a period is filled from the past, whatever is posted, rolled up, filled and merged in the meantime', async () => {
  const { db } = world.services;
  const members = await Promise.all(Array.from({ length: 12 }, () => world.addMember()));
  const [survivor, merged] = members as [Member, Member];
  for (const member of members) for (const month of [1, 2, 6, 12]) await earn(member, month);
  await rollUp({ db }, { org: org(), now: now() });
  await forgetQuarters();
  const { status } = await world.server.as('admin').post(`/members/${survivor._id}/merge`, { memberIds: [merged._id] });
  expect(status).toBe(200);
  const others = members.slice(2);
  await Promise.all([
    ...others.map((member) => earn(member, 2)),
    ...others.map((member) => earn(member, 7)),
    ...[1, 2].map(() => fillPeriods(db, org(), now())),
    ...[1, 2].map(() => rollUp({ db }, { org: org(), now: now() })),
    ...[1, 2].map(() => runFollowUps(db, org(), now())),
  ]);
  await runFollowUps(db, org(), now());
  await rollUp({ db }, { org: org(), now: now() });
  for (const member of others) expect(await quartersOf(member)).toEqual(expected([1, 2, 6, 12, 2, 7]));
  expect(await quartersOf(survivor)).toEqual(expected([1, 2, 6, 12, 1, 2, 6, 12]));
  expect(await quartersOf(merged)).toEqual([0, 0, 0, 0]);
});

test('the periods that a roll-up has filled are noted at the org', async () => {
  await rollUp({ db: world.services.db }, { org: org(), now: now() });
  const stored = await collectionOf(world.services.db, orgResource).findOne({ _id: org() });
  expect(stored?.filledPeriods?.sort()).toEqual(['halfyear', 'monthly', 'quarterly', 'weekly', 'yearly']);
});
