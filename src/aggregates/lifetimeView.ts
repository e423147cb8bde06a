import type { Connection } from 'mongoose';
import { periodNamed } from '../calendar/periods';
import { memberResource } from '../records/members/member';

/** Name of the view of all lifetime aggregates. */
export const lifetimeView = 'alllifetimeaggregates';

/** What a member's own aggregate lacks of SPEC's fields follows from the member. */
const ofMember = {
  _id: '$aggregates._id',
  org: 1,
  createdAt: 1,
  updatedAt: '$aggregates.lastAggDate',
  createdBy: 1,
  updatedBy: 1,
  metricName: '$aggregates.metricName',
  lastAggDate: '$aggregates.lastAggDate',
  memberId: '$_id',
  metricAggValue: '$aggregates.metricAggValue',
  expirationDate: '$aggregates.expirationDate',
  mergeIds: 1,
};

const pipeline = [
  {
    $unionWith: {
      coll: memberResource.path,
      pipeline: [{ $unwind: '$aggregates' }, { $project: ofMember }],
    },
  },
];

const prepared = new WeakMap<Connection, Promise<void>>();

/**
 * Makes the view once a connection: the lifetime aggregates that were moved and those still in members, as one
 * collection. MongoDB takes a filter on `org` and `memberId` through to the indexes of both.
 */
export function prepareLifetimeView(db: Connection): Promise<void> {
  const preparing = prepared.get(db) ?? makeView(db);
  prepared.set(db, preparing);
  preparing.catch(() => prepared.delete(db));
  return preparing;
}

async function makeView(db: Connection): Promise<void> {
  const viewOn = periodNamed('lifetime').path;
  const [existing] = await db.listCollections().then((all) => all.filter(({ name }) => name === lifetimeView));
  // Two processes that start at once both make it; the definition of the later version stands.
  if (!existing) await db.createCollection(lifetimeView, { viewOn, pipeline }).catch(() => undefined);
  await db.db?.command({ collMod: lifetimeView, viewOn, pipeline });
}
