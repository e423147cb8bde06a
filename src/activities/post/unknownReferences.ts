import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { type FieldError, validationError } from '../../common/errors';
import type { Activity } from '../../records/activities/activity';
import { activityHistoryResource } from '../../records/activities/activityHistory';
import { locationResource } from '../../records/catalog/location';
import { memberResource } from '../../records/members/member';
import { programResource } from '../../records/programs/program';

const references = {
  locationId: locationResource,
  program: programResource,
  originalMemberID: memberResource,
  originalTxnId: activityHistoryResource,
} as const;
const fields = ['locationId', 'program', 'originalMemberID', 'originalTxnId'] as const;

type Naming = Pick<Activity, (typeof fields)[number] | 'type'>;

/**
 * What can be told at once of activities that are processed later: the records that each names and that the org does not
 * have. One query a kind of record that is named at all. The member is left to processing, which may make an Error of it.
 */
export async function unknownReferences(
  db: Connection,
  org: ObjectId,
  activities: readonly Naming[],
): Promise<FieldError[][]> {
  const known = await Promise.all(
    fields.map(async (field) => {
      const ids = activities.flatMap((activity) => named(activity, field) ?? []);
      return [field, await existing(db, org, references[field].path, ids)] as const;
    }),
  );
  return activities.map((activity) =>
    known.flatMap(([field, ids]): FieldError[] => {
      const id = named(activity, field);
      if (!id || ids.has(id.toHexString())) return [];
      return [{ path: field, kind: 'reference', message: `refers to no ${references[field].name}` }];
    }),
  );
}

/**
 * The same for one activity.
 * @throws ServiceError 1200 naming each
 */
export async function requireKnownReferences(db: Connection, org: ObjectId, activity: Naming): Promise<void> {
  const [faults = []] = await unknownReferences(db, org, [activity]);
  if (faults.length > 0) throw validationError(faults);
}

/** What a cancellation cancels is looked for when it is processed: there it is not found, 404. */
function named(activity: Naming, field: (typeof fields)[number]): ObjectId | undefined {
  return field === 'originalTxnId' && activity.type === 'Cancellation' ? undefined : activity[field];
}

async function existing(db: Connection, org: ObjectId, path: string, ids: ObjectId[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const found = await db
    .collection<{ _id: ObjectId }>(path)
    .find({ org, _id: { $in: ids } }, { projection: { _id: 1 } })
    .toArray();
  return new Set(found.map(({ _id }) => _id.toHexString()));
}
