import type { ObjectId } from 'bson';
import type { ActivityChanges } from '#activities/state/activityChanges';
import { findPursePolicy, refused, unknownPurse } from '#activities/state/checkActivity';
import { type Message, message } from '#base/common/messages/message';
import { derivedIdInOrder } from '#base/db/records';
import type { Ledger } from '#engine/points/ledger/ledger';
import { transferIn, transferOut } from '#engine/points/ledger/transfer';
import type { ActingRule, Refusal, Transfer } from '#engine/rules/actions/actionTarget';
import type { MemberState } from '#members/memberState/memberState';
import type { ProcessingError } from '#records/activities/activityHistory';
import { notEnough } from './spendPoints';

/**
 * Moves points in burn order. Each source lot makes a lot of its own at the receiver, so every point keeps its expiry.
 */
export function transferPoints(changes: ActivityChanges, effect: Transfer, rule: ActingRule): Refusal {
  const { state, ledger, activityId } = changes.input;
  const { purse, points, toPurse = purse, n } = effect;
  const [from, into] = [findPursePolicy(state, purse), findPursePolicy(state, toPurse)];
  if (!from || !into) return unknownPurse(from ? toPurse : purse, rule);
  const receiver = findReceiver(changes, effect);
  if ('error' in receiver) return receiver.error;
  const origin = changes.origin(rule);
  const award = { rule: rule._id, n };
  const left = transferOut(ledger, { purse: from._id, points, origin });
  if (left.isRefused) return notEnough(purse, points, left.available);
  for (const { lot, points: part, expiresOn } of left.lots) {
    const { seq } = receiver.ledger;
    const _id = derivedIdInOrder(activityId.getTimestamp(), seq, 'transfer', activityId, rule._id, n, lot._id);
    transferIn(receiver.ledger, { _id, purse: into._id, points: part, from: lot, expiresOn, origin });
    changes.effects.burned.push({
      lot: lot._id,
      member: state.doc._id,
      purse: from._id,
      points: part,
      restored: 0,
      movedTo: _id,
      ...award,
    });
    changes.effects.accrued.push({
      lot: _id,
      member: receiver.member,
      purse: into._id,
      points: part,
      returned: 0,
      charged: 0,
      moved: true,
      ...award,
    });
  }
  changes.recordPurse(effect.type, rule, from._id);
  return undefined;
}

type Receiver = { ledger: Ledger; member: ObjectId } | { error: ProcessingError };

/**
 * The ledger that receives the points: the member's own, or with `toLoyaltyID` that of another active member of the
 * program.
 */
function findReceiver(changes: ActivityChanges, { toLoyaltyID }: Transfer): Receiver {
  const { state, ledger } = changes.input;
  if (toLoyaltyID === undefined) return { ledger, member: state.doc._id };
  const other = changes.memberByLoyaltyId(toLoyaltyID);
  const fault = receiverFault(state, other);
  if (!other || fault) return { error: refused(2200, message('activities.receiver', { fault: fault ?? '' })) };
  return { ledger: changes.others.open(other).ledger, member: other.doc._id };
}

function receiverFault(from: MemberState, to: MemberState | undefined): Message | undefined {
  if (!to?.doc.program.equals(from.doc.program)) return message('activities.receiverUnknown');
  if (to.doc._id.equals(from.doc._id)) return message('activities.receiverIsGiver');
  return to.doc.status === 'Active' ? undefined : message('members.notActive', { status: to.doc.status });
}
