import type { ObjectId } from 'bson';
import { collectionOf } from '#base/db/collections';
import { type ActivityHistory, activityHistoryResource } from '#records/activities/activityHistory';
import type { OccasionType } from '#records/activities/occasion';
import { submissionResource } from '#records/activities/submission';
import { type ActivityApi, activityApi } from '../../activities/activityApi';
import type { World } from '../../support/world';

type Fields = Record<string, unknown>;

/** A rule that gives points for each occasion of a type. */
export const occasionRule = (type: OccasionType, points: number, fields: Fields = {}): Fields => ({
  key: `on-${type}`,
  name: `On ${type}`,
  activityTypes: [type],
  actions: [{ type: 'addPoints', purse: 'Points', points }],
  ...fields,
});

/** Reads what a world's occasions did. */
export interface Occasions extends ActivityApi {
  /** The histories of a member's occasions of a type, in their order. */
  occasions(member: ObjectId, type?: OccasionType): Promise<ActivityHistory[]>;
  /** Number of queued submissions of the world's org. */
  queued(): Promise<number>;
}

export function occasionsIn(world: World): Occasions {
  const { db, org } = world.services;
  const acting = activityApi(world);
  return {
    ...acting,
    occasions: (memberID, type) =>
      collectionOf(db, activityHistoryResource)
        .find({ org: org._id, memberID, occasion: { $exists: true }, ...(type && { type }) })
        .sort({ date: 1, _id: 1 })
        .toArray(),
    queued: () => collectionOf(db, submissionResource).countDocuments({ org: org._id, status: 'Queued' }),
  };
}
