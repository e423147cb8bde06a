import type { Connection } from 'mongoose';
import { periodNamed } from '#base/calendar/periods';
import { memberResource } from './member';

export const lifetimeView = 'alllifetimeaggregates';

/** Fields that are missing in an aggregate inside a member are taken from the member. */
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
 * Creates the view once for each connection. It joins the lifetime aggregates that were moved to their collection with
 * those still stored in members. MongoDB applies a filter on `org` and `memberId` to the indexes of both.
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
  // Two processes may create the view at once, so a failure is ignored. `collMod` then sets this version's definition.
  if (!existing) await db.createCollection(lifetimeView, { viewOn, pipeline }).catch(() => undefined);
  await db.db?.command({ collMod: lifetimeView, viewOn, pipeline });
}
