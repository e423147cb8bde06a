import type { ObjectId } from 'bson';
import { lotFlags, partsAddUp } from '#engine/points/lots/lotParts';
import type { Lot } from '#records/points/lot';
import type { Purse } from '#records/points/purse';
import type { Replay, ReplayedLot } from './rebuildFromJournal';

/** The member whose lots are checked. */
interface LotOwner {
  readonly _id: ObjectId;
  readonly mergeIds?: readonly ObjectId[];
  readonly mergedInto?: ObjectId | undefined;
}

/** Finds faults of lots: in the lots alone, and between the lots and their journal entries. */
export function lotFaults(owner: LotOwner, purses: readonly Purse[], lots: readonly Lot[], replay: Replay): string[] {
  const byId = new Map(lots.map((lot) => [lot._id.toHexString(), lot]));
  const lost = [...replay.lots].filter(([key, lot]) => !owner.mergedInto && !byId.has(key) && !hasLeft(lot));
  return [
    ...[...byId].flatMap(([key, lot]) => [
      ...ownFaults(owner, purses, lot),
      ...journalFaults(lot, replay.lots.get(key)),
    ]),
    ...lost.map(([, { id }]) => `the journal has entries for lot ${id}, which does not exist`),
  ];
}

/** True for a transferred lot of which this member has no points left: another member owns it now. */
function hasLeft({ isMoved, available, escrow }: ReplayedLot): boolean {
  return isMoved && available === 0 && escrow === 0;
}

function ownFaults({ _id, mergeIds = [] }: LotOwner, purses: readonly Purse[], lot: Lot): string[] {
  const faults: string[] = [];
  const { state, hasExpired, hasBurned } = lotFlags(lot);
  const isOwn = lot.member.equals(_id) || mergeIds.some((id) => lot.member.equals(id));
  if (!isOwn) faults.push(`lot ${lot._id} belongs to member ${lot.member}`);
  if (!purses.some(({ policyId }) => policyId.equals(lot.purse)))
    faults.push(`lot ${lot._id} is in a purse that the member does not have`);
  if (!partsAddUp(lot)) faults.push(`the parts of lot ${lot._id} do not add up to ${lot.accruedPoints} accrued points`);
  if (lot.state !== state) faults.push(`lot ${lot._id} has state ${lot.state}, but by its points it is ${state}`);
  if (lot.hasExpired !== hasExpired) faults.push(`lot ${lot._id} has hasExpired ${lot.hasExpired}`);
  if (lot.hasBurned !== hasBurned) faults.push(`lot ${lot._id} has hasBurned ${lot.hasBurned}`);
  if (lot.hasEscrowed && lot.escrowedPoints > 0) faults.push(`lot ${lot._id} has points in an escrow that has ended`);
  return faults;
}

function journalFaults(lot: Lot, replayed: ReplayedLot | undefined): string[] {
  if (!replayed) return [`lot ${lot._id} is an orphan: no journal entry names it`];
  const faults: string[] = [];
  if (!replayed.purse.equals(lot.purse)) faults.push(`lot ${lot._id} is in another purse than its journal says`);
  if (replayed.openings > 1) faults.push(`lot ${lot._id} was accrued ${replayed.openings} times by the journal`);
  for (const [field, found, right] of comparedFields(lot, replayed)) {
    if (found !== right) faults.push(`lot ${lot._id} has ${field} ${found}, but by its journal it is ${right}`);
  }
  return faults;
}

type ComparedField = [field: string, found: unknown, right: unknown];

function comparedFields(lot: Lot, replayed: ReplayedLot): ComparedField[] {
  const pairs: ComparedField[] = [
    ['availablePoints', lot.availablePoints, replayed.available],
    ['escrowedPoints', lot.escrowedPoints, replayed.escrow],
  ];
  // The earlier entries of a transferred lot are in the other member's journal.
  if (replayed.isMoved) return pairs;
  return [
    ...pairs,
    ['accruedPoints', lot.accruedPoints, replayed.accrued],
    ['burnedPoints', lot.burnedPoints, replayed.burned],
    ['expiredPoints', lot.expiredPoints, replayed.expired],
    ['reversedPoints', lot.reversedPoints, replayed.reversed],
    ['repaidSeq', lot.repaidSeq ?? 0, replayed.repaidSeq],
    // Lots stored before this field existed have no `repaidAt`.
    ['repaidAt', lot.repaidAt?.getTime(), lot.repaidAt && replayed.repaidAt?.getTime()],
    ['chargedPoints', lot.chargedPoints ?? 0, replayed.charged],
    ['hasEscrowed', lot.hasEscrowed, replayed.hasJoined],
  ];
}
