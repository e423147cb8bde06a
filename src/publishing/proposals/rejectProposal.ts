import type { Static } from '@sinclair/typebox';
import { ServiceError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { record } from '#base/schema/atoms';
import { idOf } from '#platform/http/collection/idOf';
import { type Answer, ok, type Request } from '#platform/http/route';
import { storedRecord, visible } from '#platform/recordWrites/storedRecord';
import { decidedAlready, decideProposal } from './decideProposal';
import { reasonText, ruleProposalResource } from './ruleProposal';

/** The body of a rejection. */
export const rejectBody = record({ reason: { ...reasonText, minLength: 1 } });

/**
 * `POST /rules/proposals/{id}/reject`: nothing comes into force. Who made the proposal withdraws it so.
 * @throws ServiceError 1130 to an API key that did not make it; 1290 when it is decided, or is being approved
 */
export async function rejectProposal(request: Request): Promise<Answer> {
  const { reason } = request.body as Static<typeof rejectBody>;
  const { principal } = request;
  const proposal = await storedRecord(ruleProposalResource, request, idOf(request));
  if (principal.apiKey && !proposal.createdBy.equals(principal.userId)) {
    throw new ServiceError('forbidden', message('proposals.personRejects'));
  }
  if (proposal.status !== 'Pending') throw decidedAlready();
  const rejected = await decideProposal(request, proposal, { status: 'Rejected', decisionReason: reason });
  return ok(visible(ruleProposalResource, rejected));
}
