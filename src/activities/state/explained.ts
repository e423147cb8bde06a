import type { MemberState } from '../../memberState/memberState';
import type { Activity } from '../../records/activities/activity';
import { explainMatches, type MatchContext } from '../../rules/explain/explainMatches';
import type { Decision } from '../../rules/language/decision';
import type { BatchContext } from './batchContext';

/** The answer of `explain=true`: every rule for the activity's type, with its reason in a sentence. */
export function explained(
  { ruleSet }: Pick<BatchContext, 'ruleSet'>,
  { program: { _id, timezone } }: Pick<MemberState, 'program'>,
  { type, date }: Activity,
  { ruleMatch, errors }: Decision,
  offers?: MatchContext['offers'],
): Record<string, unknown>[] {
  const rules = ruleSet?.forActivity(_id, type).rules ?? [];
  return explainMatches(ruleMatch, { rules, date, timezone, errors, offers }).map((match) => ({ ...match }));
}
