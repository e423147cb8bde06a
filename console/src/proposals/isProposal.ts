import type { Proposal } from './proposalApi';

/** Tells whether the service answered with a proposal, since a second person has to approve the request. */
export function isProposal(answer: object | undefined): answer is Proposal {
  return answer !== undefined && 'proposer' in answer;
}
