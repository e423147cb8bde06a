import type { ObjectId } from 'bson';
import { cutToSize } from '#engine/rules/explain/cutToSize';
import { explainMatches } from '#engine/rules/explain/explainMatches';
import type { MatchContext } from '#engine/rules/explain/matchContext';
import { movedByRule } from '#engine/rules/explain/movedPoints';
import type { Decision } from '#engine/rules/language/decision';
import { phrasebookFor } from '#engine/rules/phrasebooks/phrasebookFor';
import type { MemberState } from '#members/memberState/memberState';
import type { Activity } from '#records/activities/activity';
import type { StoredEffects } from '#records/activities/activityHistory';
import { type BatchContext, findLocation } from './batchContext';
import type { PipelineRequest } from './pipelineRequest';

/** What else an explanation needs, in addition to the decision. */
interface ExplainedOutcome {
  offers?: MatchContext['offers'];
  /** What the activity moved; absent when it failed. */
  effects?: StoredEffects | undefined;
}

/**
 * The answer of `explain=true`: the rules for the activity's type, each with its reason in a sentence. In an answer
 * that would be too long, rules that neither fired nor were cut come last and may be left out.
 */
export function explainedRules(
  { explain, language }: Pick<PipelineRequest, 'explain' | 'language'>,
  { ruleSet, named }: Pick<BatchContext, 'ruleSet' | 'named'>,
  { doc, program: { _id, timezone }, policies }: Pick<MemberState, 'doc' | 'program' | 'policies'>,
  activity: Activity,
  { ruleMatch, errors }: Decision,
  { offers, effects }: ExplainedOutcome = {},
): { ruleMatch: Record<string, unknown>[]; omittedRules?: number } {
  const { type, date } = activity;
  const location = findLocation(named, activity);
  const rules = ruleSet?.forActivity(_id, type).rules ?? [];
  const nameOf = (purse: ObjectId) => policies.find((policy) => policy._id.equals(purse))?.name;
  const moved = effects && movedByRule(effects, doc._id, nameOf);
  const matches = explainMatches(
    ruleMatch,
    { rules, date, timezone, location, errors, offers, moved },
    phrasebookFor(language),
  );
  const { shown, omitted } = explain === 'all' ? { shown: matches, omitted: 0 } : cutToSize(matches);
  return { ruleMatch: shown.map((match) => ({ ...match })), ...(omitted > 0 ? { omittedRules: omitted } : {}) };
}
