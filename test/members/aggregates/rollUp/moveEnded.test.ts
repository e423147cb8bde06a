import { ObjectId } from 'bson';
import { newStamps } from '#base/db/records';
import { addToLifetime } from '#engine/sums/lifetime';
import { rollUp } from '#members/aggregates/rollUp/rollUp';
import { type AggregateStore, now, openAggregateStore } from '../store';

const ended = new Date('2026-11-01T00:00:00Z');
const before = new Date('2026-10-01T00:00:00Z');

let store: AggregateStore;
beforeEach(async () => {
  store = await openAggregateStore();
});
afterEach(() => store.close());

test('an ended lifetime aggregate moves out of its member once, however many move at once', async () => {
  const { db, author } = store;
  const ids = await addMembers(120);

  await Promise.all([1, 2, 3].map(() => rollUp({ db }, { now })));

  const moved = await db.collection('lifetimeaggregates').find().toArray();
  expect(moved).toHaveLength(120);
  expect(new Set(moved.map(({ memberId }) => String(memberId)))).toEqual(new Set(ids.map(String)));
  expect(moved[0]).toMatchObject({
    org: author.org,
    metricName: 'promo',
    metricAggValue: 7,
    expirationDate: ended,
    mergeIds: [],
  });
  for (const member of await db.collection('members').find().toArray()) {
    expect(member).toMatchObject({ version: 4, aggregates: [{ metricName: 'visits', metricAggValue: 1 }] });
  }
});

test('a new aggregate for an end that was moved before joins the moved one', async () => {
  const { db } = store;
  const [id] = await addMembers(1);
  await rollUp({ db }, { now });
  const late = addToLifetime([], [{ metric: 'promo', value: 3, expirationDate: ended }], now, id ?? new ObjectId());
  await db.collection('members').updateOne({}, { $set: { aggregates: late, aggregatesEndAt: ended } });
  await rollUp({ db }, { now });

  expect(await db.collection('lifetimeaggregates').find().toArray()).toMatchObject([{ metricAggValue: 10 }]);
});

async function addMembers(count: number): Promise<ObjectId[]> {
  const { db, author } = store;
  const members = Array.from({ length: count }, () => ({ ...newStamps(author, now), version: 3 }));
  await db.collection('members').insertMany(
    members.map((member) => ({
      ...member,
      loyaltyIDs: [member._id.toHexString()],
      referralCode: member._id.toHexString(),
      aggregatesEndAt: ended,
      aggregates: addToLifetime(
        [],
        [
          { metric: 'visits', value: 1 },
          { metric: 'promo', value: 7, expirationDate: ended },
        ],
        before,
        member._id,
      ),
    })),
  );
  return members.map(({ _id }) => _id);
}
