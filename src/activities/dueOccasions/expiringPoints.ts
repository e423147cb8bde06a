import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { daysLater, startOfDay, textOfDay } from '#base/calendar/windows';
import { lotExpiry } from '#engine/points/lots/lotParts';
import { loadLiveLots } from '#members/memberState/readMember';
import type { Member } from '#records/members/member';
import type { Lot } from '#records/points/lot';
import type { DueOccasion, DueSchedule } from './dueSchedule';

/** A filter for the members with something due before the end of the day. */
export function expiringFilter(_db: Connection, _org: ObjectId, { day, program }: DueSchedule) {
  return { nextDue: { $lt: startOfDay(daysLater(day, 1), program.timezone) } };
}

/**
 * Makes one occasion for each purse with points that expire on the day. Points in escrow count when their escrow has
 * ended by the time that the occasion is due.
 */
export async function expiringMembers(
  db: Connection,
  members: readonly Member[],
  at: DueSchedule,
): Promise<DueOccasion[][]> {
  const org = members[0]?.org;
  if (!org) return [];
  const lots = await loadLiveLots(
    db,
    org,
    members.map(({ _id }) => _id),
  );
  return members.map((member) => occasionsOfMember(member, lots.get(member._id.toHexString()) ?? [], at));
}

function occasionsOfMember(
  { purses }: Member,
  lots: readonly Lot[],
  { due, day, program }: DueSchedule,
): DueOccasion[] {
  const start = startOfDay(day, program.timezone);
  const end = startOfDay(daysLater(day, 1), program.timezone);
  return purses.flatMap(({ policyId, inactiveOn }) => {
    const expiring = lots.filter((lot) => {
      const date = lot.purse.equals(policyId) ? lotExpiry(lot, inactiveOn) : undefined;
      return date !== undefined && date >= start && date < end;
    });
    const points = expiring.reduce((sum, lot) => sum + usable(lot, due.at), 0);
    const name = expiring[0]?.purseName;
    if (points === 0 || name === undefined) return [];
    const on = textOfDay(day);
    return [{ idParts: [policyId, on], occasion: { purse: name, points, on } }];
  });
}

function usable({ availablePoints, escrowedPoints, dtEscrowsOn }: Lot, at: Date): number {
  return availablePoints + (dtEscrowsOn <= at ? escrowedPoints : 0);
}
