import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { dayMs } from '#base/common/durations';
import { invalidField } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { collectionOf } from '#base/db/collections';
import { newStamps } from '#base/db/records';
import { inTransaction, withRetries } from '#base/db/transaction';
import { audit } from '#platform/audit/audit';
import { requestAuditor } from '#platform/audit/auditor';
import { recordChange } from '#platform/audit/change';
import type { Answer, Request } from '#platform/http/route';
import { serializedPerOrg } from '#platform/orgs/serializedPerOrg';
import { visible } from '#platform/recordWrites/storedRecord';
import type { EditedFile } from '#publishing/ruleEditor/editedFiles';
import { contentHash } from '#publishing/rulesets/files/contentHash';
import { ruleSetInForce } from '#publishing/rulesets/ruleSetInForce';
import { filesOnDisk } from './filesOnDisk';
import { proposalLimits, type RuleProposal, ruleProposalResource } from './ruleProposal';

/** What is proposed: files to publish or to schedule, or an earlier version to schedule. */
export interface Proposed extends Pick<RuleProposal, 'action'> {
  reason: string | undefined;
  files: readonly EditedFile[];
  /** Of a schedule: its instant, and the earlier version when it has no files. */
  from?: Date;
  ruleSet?: number | undefined;
}

/**
 * Stores a change of rules that a second person has to approve. The same change of the same user is stored once as
 * long as it waits.
 * @returns the answer 202 with the proposal
 * @throws ServiceError 1200 when it is too large or too many wait
 */
export async function propose(request: Request, proposed: Proposed): Promise<Answer> {
  const { db } = request.services;
  const proposal = await buildProposal(request, proposed);
  const stored = await serializedPerOrg(db, proposal.org, () => withRetries(() => store(request, proposal), {}));
  const headers = { Location: `/api/v1/rules/proposals/${stored._id}` };
  return { status: 202, body: visible(ruleProposalResource, stored), headers };
}

async function buildProposal({ services, principal, now }: Request, proposed: Proposed): Promise<RuleProposal> {
  const { files: sent, action, reason, from, ruleSet } = proposed;
  const disk = await filesOnDisk(services, principal.org, sent);
  const texts = new Map(disk.map(({ path, text }) => [path, text]));
  const files = sent.map(({ path, text }) => {
    const before = texts.get(path);
    return { path, text, ...(before === undefined ? {} : { before }) };
  });
  requireFits(files);
  const version = (await ruleSetInForce(services.db, principal.org))?.version;
  const folderHash = action === 'schedule' && files.length > 0 ? { folderHash: contentHash(disk) } : {};
  const after = (days: number) => new Date(now.getTime() + days * dayMs);
  return {
    ...newStamps(principal, now),
    status: 'Pending' as const,
    action,
    proposer: principal.username.slice(0, 200),
    ...(reason === undefined ? {} : { reason }),
    paths: files.map(({ path }) => path),
    ...(version === undefined ? {} : { version }),
    ...(from ? { from } : {}),
    ...(ruleSet === undefined ? {} : { ruleSet }),
    files,
    ...folderHash,
    hash: contentHash({ action, from, ruleSet, files }),
    endsAt: after(proposalLimits.approvableDays),
    keptUntil: after(proposalLimits.keptDays),
  };
}

function requireFits(files: RuleProposal['files']): void {
  const bytes = files.reduce(
    (sum, { text, before = '' }) => sum + Buffer.byteLength(text) + Buffer.byteLength(before),
    0,
  );
  if (bytes <= proposalLimits.bytesMax) return;
  throw invalidField('files', 'maximum', message('proposals.tooLarge', { max: proposalLimits.bytesMax }));
}

async function store(request: Request, proposal: RuleProposal): Promise<RuleProposal> {
  const { services, machineClock } = request;
  const { db } = services;
  const same = await sameWaiting(db, proposal);
  if (same) return same;
  await requireFewPending(db, proposal.org, proposal.createdAt);
  await inTransaction(db, async (session) => {
    await collectionOf(db, ruleProposalResource).insertOne(proposal, { session });
    const change = recordChange(ruleProposalResource, { action: 'propose', id: proposal._id }, { after: proposal });
    await audit(db, session, requestAuditor(request), machineClock.now(), [change]);
  });
  return proposal;
}

async function sameWaiting(db: Connection, proposal: RuleProposal): Promise<RuleProposal | undefined> {
  const { org, hash, createdBy, createdAt } = proposal;
  const same = { org, status: 'Pending' as const, endsAt: { $gt: createdAt }, hash, createdBy };
  return (await collectionOf(db, ruleProposalResource).findOne(same)) ?? undefined;
}

/** Requests of one process take turns. Those of several at once may exceed the limit by one for each process. */
async function requireFewPending(db: Connection, org: ObjectId, now: Date): Promise<void> {
  const waiting = { org, status: 'Pending' as const, endsAt: { $gt: now } };
  const count = await collectionOf(db, ruleProposalResource).countDocuments(waiting);
  if (count < proposalLimits.pendingMax) return;
  throw invalidField('files', 'maximum', message('proposals.tooMany', { max: proposalLimits.pendingMax }));
}
