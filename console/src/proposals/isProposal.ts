import type { Proposal } from './proposalApi';

/** Tells whether the service answered with a proposal, since a second person has to approve what was asked. */
export function isProposal(answer: object | undefined): answer is Proposal {
  return answer !== undefined && 'proposer' in answer;
}
