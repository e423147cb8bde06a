import type { ObjectId } from 'bson';
import { noRecord } from '#activities/state/references';
import type { FieldError } from '#base/common/errors';
import { collectionOf } from '#base/db/collections';
import { existingIds } from '#base/db/existingIds';
import { comparable, soughtForms } from '#base/schema/findable';
import type { Activity } from '#records/activities/activity';
import { activityHistoryResource } from '#records/activities/activityHistory';
import { submissionResource } from '#records/activities/submission';
import { memberResource } from '#records/members/member';
import type { ImportContext } from './importKind';

type Named = Pick<Activity, 'type' | 'memberID' | 'loyaltyID' | 'originalTxnId'>;

/**
 * Finds the members of activities, and the originals of cancellations, that the org does not have. In an import they can be
 * told at once, by one query for each kind; a single post is refused when it is processed.
 * @returns for each activity its faults
 */
export async function unknownSubjects(context: ImportContext, activities: readonly Named[]): Promise<FieldError[][]> {
  const known = await knownIds(context, activities);
  return activities.map(({ type, memberID, loyaltyID, originalTxnId }) => {
    const isCancel = type === 'Cancellation' && originalTxnId !== undefined;
    const names = [
      { path: 'memberID', id: memberID, what: 'Member' },
      { path: 'originalTxnId', id: isCancel ? originalTxnId : undefined, what: 'ActivityHistory' },
    ];
    const faults = names.flatMap(({ path, id, what }) =>
      id && !known.ids.has(id.toHexString()) ? [noRecord(path, what)] : [],
    );
    const isStranger = loyaltyID !== undefined && !isCancel && !known.byLoyaltyId.has(comparable(loyaltyID));
    return isStranger ? [...faults, noRecord('loyaltyID', 'Member')] : faults;
  });
}

async function knownIds({ services: { db }, principal: { org } }: ImportContext, activities: readonly Named[]) {
  const memberIds = activities.flatMap(({ memberID }) => memberID ?? []);
  const loyaltyIDs = activities.flatMap(({ loyaltyID }) => (loyaltyID === undefined ? [] : soughtForms(loyaltyID)));
  const originals = activities.flatMap(({ type, originalTxnId }) =>
    type === 'Cancellation' && originalTxnId ? [originalTxnId] : [],
  );
  const [members, histories, waiting] = await Promise.all([
    collectionOf(db, memberResource)
      .find({ org, $or: [{ _id: { $in: memberIds } }, { loyaltyIDs: { $in: loyaltyIDs } }] })
      .project<{ _id: ObjectId; loyaltyIDs: string[] }>({ loyaltyIDs: 1 })
      .toArray(),
    existingIds(db, org, activityHistoryResource.path, originals),
    // An activity that waits gets a history of the same id.
    existingIds(db, org, submissionResource.path, originals),
  ]);
  const ids = [...members.map(({ _id }) => _id.toHexString()), ...histories, ...waiting];
  const byLoyaltyId = members.flatMap((member) => member.loyaltyIDs.map(comparable));
  return { ids: new Set(ids), byLoyaltyId: new Set(byLoyaltyId) };
}
