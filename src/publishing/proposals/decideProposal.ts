import { ServiceError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { collectionOf } from '#base/db/collections';
import { isOver } from '#base/db/leases/lease';
import { updateStamps } from '#base/db/records';
import { inTransaction, withRetries } from '#base/db/transaction';
import { audit } from '#platform/audit/audit';
import { requestAuditor } from '#platform/audit/auditor';
import { recordChange } from '#platform/audit/change';
import type { Request } from '#platform/http/route';
import { serializedPerOrg } from '#platform/orgs/serializedPerOrg';
import { type RuleProposal, ruleProposalResource } from './ruleProposal';

/** What somebody decides of a proposal. */
export interface Decision {
  status: 'Approved' | 'Rejected';
  decisionReason: string | undefined;
  /** The version that an approval made. */
  published?: number | undefined;
}

/** Makes the 409 answer to a decision that comes too late. */
export function decidedAlready(reason = message('proposals.decidedMeanwhile')): ServiceError {
  return new ServiceError('decided', reason);
}

/** Filter of what no approval works on. */
export const unclaimed = { $expr: isOver('claimedUntil') };

/**
 * Stores a decision with its entry in the audit log.
 * @param claim what the approval that decides has claimed; undefined: no approval may run
 * @throws ServiceError 1290 when the proposal is decided, or somebody else has claimed it
 */
export async function decideProposal(
  request: Request,
  proposal: RuleProposal,
  { status, decisionReason, published }: Decision,
  claim?: Date,
): Promise<RuleProposal> {
  const { services, principal, now, machineClock } = request;
  const { db } = services;
  const set = {
    status,
    decidedAt: now,
    decidedBy: principal.userId,
    decider: principal.username.slice(0, 200),
    ...(decisionReason === undefined ? {} : { decisionReason }),
    ...(published === undefined ? {} : { published }),
    ...updateStamps(principal, now),
  };
  const { claimedUntil: _claim, ...before } = proposal;
  const after: RuleProposal = { ...before, ...set };
  const action = status === 'Approved' ? 'approve' : 'reject';
  const still = claim ? { claimedUntil: claim } : unclaimed;
  const write = () =>
    inTransaction(db, async (session) => {
      const { matchedCount } = await collectionOf(db, ruleProposalResource).updateOne(
        { _id: proposal._id, org: proposal.org, status: 'Pending', ...still },
        { $set: set, $unset: { claimedUntil: '' } },
        { session },
      );
      if (matchedCount === 0) throw decidedAlready();
      const change = recordChange(ruleProposalResource, { action, id: proposal._id }, { before, after });
      await audit(db, session, requestAuditor(request), machineClock.now(), [change]);
    });
  await serializedPerOrg(db, proposal.org, () => withRetries(write, {}));
  return after;
}
