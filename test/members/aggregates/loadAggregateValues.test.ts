import { ObjectId } from 'bson';
import { dayOn, localDay } from '#base/calendar/localCalendar';
import { periodKey } from '#base/calendar/periods';
import { newStamps } from '#base/db/records';
import { type AggregateRequest, loadAggregateValues } from '#members/aggregates/loadAggregateValues';
import { rollUp } from '#members/aggregates/rollUp/rollUp';
import type { MetricEntry } from '#records/aggregates/metricEvents';
import { memberResource } from '#records/members/member';
import { type AggregateStore, addOrg, commitMetrics, now, openAggregateStore, randomCommits } from './store';

const members = Array.from({ length: 8 }, () => new ObjectId());
const units = ['day', 'week', 'month', 'quarter', 'halfYear', 'year'] as const;
const days = [dayOn(2025, 1, 1), dayOn(2025, 12, 31), dayOn(2026, 1, 1), dayOn(2026, 11, 21)];

let store: AggregateStore;
beforeEach(async () => {
  store = await openAggregateStore();
});
afterEach(() => store.close());

const requests: AggregateRequest[] = members.flatMap((member) =>
  units.flatMap((period) =>
    days.flatMap((day) => ['spend', 'pointsEarned:Points'].map((metric) => ({ member, metric, period, day }))),
  ),
);

function expected(entries: readonly MetricEntry[]): number[] {
  return requests.map(({ member, metric, period, day: requested }) =>
    entries
      .filter((entry) => entry.member.equals(member) && entry.metric === metric)
      .filter(({ day }) => periodKey(period, day) === periodKey(period, requested))
      .reduce((sum, { value }) => sum + value, 0),
  );
}

test('sums do not change before, during and after a roll-up', async () => {
  const { db, author } = store;
  const commits = randomCommits({ commits: 600, members });
  await commitMetrics(db, author, commits);
  const right = expected(commits.flat());

  const before = await loadAggregateValues(db, author.org, requests);
  const during: number[][] = [];
  let isDone = false;
  const rolling = rollUp({ db }, { now }).finally(() => {
    isDone = true;
  });
  while (!isDone) during.push(await loadAggregateValues(db, author.org, requests));
  await rolling;
  const after = await loadAggregateValues(db, author.org, requests);

  expect(right.some((value) => value !== 0)).toBe(true);
  expect(during.length).toBeGreaterThan(0);
  for (const values of [before, ...during, after]) expect(values).toEqual(right);
});

test('sums of another org are not seen, and a metric that nobody counted is 0', async () => {
  const { db, author } = store;
  const other = await addOrg(db, 'other');
  await commitMetrics(db, other, randomCommits({ commits: 50, members }));
  await rollUp({ db }, { org: other.org, now });
  await commitMetrics(db, other, randomCommits({ commits: 50, members }));

  expect(await loadAggregateValues(db, author.org, requests)).toEqual(requests.map(() => 0));
});

test('a time before the last seen commit of a member is not used', async () => {
  const { db, author } = store;
  const [member = new ObjectId()] = members;
  await db.collection(memberResource.path).insertOne({ ...newStamps(author, now, member), version: 4 });
  const day = localDay(now, 'UTC');
  const queries = [{ member, metric: 'spend', period: 'day' as const, day }];
  const versions = new Map([[member.toHexString(), 5]]);

  const reading = loadAggregateValues(db, author.org, queries, versions);
  await commitMetrics(db, author, [[{ member, metric: 'spend', value: 7, day }]]);
  await db.collection(memberResource.path).updateOne({ _id: member }, { $set: { version: 5 } });

  expect(await reading).toEqual([7]);
  await expect(
    loadAggregateValues(db, author.org, queries, new Map([[member.toHexString(), 6]])),
  ).rejects.toMatchObject({
    name: 'GuardFailed',
  });
});
