import assert from 'node:assert';
import { type Static, Type } from '@sinclair/typebox';
import { ServiceError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { collectionOf } from '#base/db/collections';
import { endsIn } from '#base/db/leases/lease';
import { record } from '#base/schema/atoms';
import { requestAuditor } from '#platform/audit/auditor';
import { readPathId } from '#platform/http/collection/readPathId';
import { type Answer, ok, type Request, type RequestWith } from '#platform/http/route';
import { storedRecord, visible } from '#platform/recordWrites/storedRecord';
import { checkFiles, publishFiles } from '#publishing/ruleEditor/publishFiles';
import type { RuleSets } from '#publishing/rulesets/ruleSets';
import { scheduleRules } from '#publishing/rulesets/scheduleRules';
import { requireCurrent } from './changedSince';
import { decidedAlready, decideProposal, unclaimed } from './decideProposal';
import { type RuleProposal, reasonText, ruleProposalResource } from './ruleProposal';

/** The body of an approval. */
export const approveBody = record({ reason: Type.Optional(reasonText) });

/** How long one approval may take until another may do the rest, in ms of the database's clock. Its request ends after a minute. */
const claimMs = 120_000;

type Publishing = RequestWith<{ ruleSets: RuleSets }>;

/**
 * `POST /rules/proposals/{id}/approve`: puts exactly the proposed rules into force, or schedules them, after the same
 * checks as without a proposal. Two approvals at once do it once. When a process ends in the middle, the next approval
 * does the rest.
 * @throws ServiceError 1140 to the proposer; 1130 to an API key; 1290 when it is decided or too old; 1280 when its files
 *   were changed since; 1200 with faults
 */
export async function approveProposal(request: Publishing): Promise<Answer> {
  const { reason } = request.body as Static<typeof approveBody>;
  const found = await storedRecord(ruleProposalResource, request, readPathId(request));
  requireApprovable(request, found);
  const proposal = await claim(request, found);
  const { claimedUntil } = proposal;
  assert(claimedUntil, 'this approval has claimed it');
  try {
    const published = await putIntoForce(request, proposal);
    const decision = { status: 'Approved' as const, decisionReason: reason, published };
    return ok(visible(ruleProposalResource, await decideProposal(request, proposal, decision, claimedUntil)));
  } catch (error) {
    await proposals(request).updateOne(
      { _id: proposal._id, org: proposal.org, claimedUntil },
      { $unset: { claimedUntil: '' } },
    );
    throw error;
  }
}

function requireApprovable({ principal, now }: Request, { createdBy, status, endsAt }: RuleProposal): void {
  if (principal.apiKey) throw new ServiceError('forbidden', message('proposals.personApproves'));
  if (createdBy.equals(principal.userId)) throw new ServiceError('ownProposal', message('proposals.otherUserApproves'));
  if (status !== 'Pending') throw decidedAlready();
  if (endsAt <= now) throw decidedAlready(message('proposals.tooOld'));
}

async function claim(request: Request, { _id, org }: RuleProposal): Promise<RuleProposal> {
  const found = await proposals(request).findOneAndUpdate(
    { _id, org, status: 'Pending', ...unclaimed },
    [{ $set: { claimedUntil: endsIn(claimMs) } }],
    { returnDocument: 'after' },
  );
  if (!found) throw decidedAlready();
  return found;
}

async function putIntoForce(request: Publishing, proposal: RuleProposal): Promise<number | undefined> {
  const { services } = request;
  const { action, files, from, ruleSet, org } = proposal;
  const by = requestAuditor(request);
  await requireCurrent(services, proposal);
  if (action === 'publish') {
    await checkFiles(services, org, files);
    return (await publishFiles(services, by, files)).version;
  }
  assert(from, 'a proposed schedule has its moment');
  const { db, clock } = services;
  const rules = ruleSet === undefined ? { files } : { version: ruleSet };
  return scheduleRules({ db, clock, author: by }, rules, from);
}

function proposals({ services }: Request) {
  return collectionOf(services.db, ruleProposalResource);
}
