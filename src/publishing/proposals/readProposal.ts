import { Type } from '@sinclair/typebox';
import { list, record } from '#base/schema/atoms';
import { idOf } from '#platform/http/collection/idOf';
import { type Answer, ok, type Request } from '#platform/http/route';
import { storedRecord, visible } from '#platform/recordWrites/storedRecord';
import { changedSince } from './changedSince';
import { ruleProposalResource } from './ruleProposal';

const proposedFile = record({
  path: Type.String(),
  before: Type.Optional(Type.String({ description: 'The file when it was proposed; absent when there was none' })),
  text: Type.String({ description: 'The whole file as proposed' }),
});

/** The answer of `GET /rules/proposals/{id}`. */
export const proposalAnswer = record({
  ...ruleProposalResource.answer.properties,
  files: list(proposedFile, 1000, { description: 'The files that it changes' }),
  isOutdated: Type.Optional(
    Type.Boolean({ description: 'While it waits: its files were changed since, so it cannot be approved' }),
  ),
});

/** `GET /rules/proposals/{id}`: a proposal with its files, before and after. */
export async function readProposal(request: Request): Promise<Answer> {
  const proposal = await storedRecord(ruleProposalResource, request, idOf(request));
  const files = proposal.files.filter(({ text, before }) => text !== before);
  const isWaiting = proposal.status === 'Pending';
  return ok({
    ...visible(ruleProposalResource, proposal),
    files,
    ...(isWaiting ? { isOutdated: (await changedSince(request.services, proposal)) !== undefined } : {}),
  });
}
