import { restorePastActivity } from '#activities/past/restorePastActivity';
import type { BatchContext } from '#activities/state/batchContext';
import type { RuleSet } from '#engine/rules/evaluate/ruleSet';
import { type Rule, returnHandling } from '#engine/rules/format/rule';
import type { CounterUse } from '#engine/rules/language/decision';
import { type DecidedAgain, decideAgain } from '#engine/rules/simulate/decideAgain';
import { evaluableRules } from '#engine/rules/simulate/evaluableRules';
import { type RemainingActivity, withoutReturned } from '#engine/rules/simulate/withoutReturned';
import type { MemberState } from '#members/memberState/memberState';
import { type ActivityHistory, noEffects } from '#records/activities/activityHistory';
import { counterOwners } from './counterOwners';
import type { ReturnScope } from './decideReturnScope';
import { type RemainingAwards, type RemainingAwardsContext, remainingAwards } from './remainingAwards';
import { isOwnMovement, type RuleMovement, ruleMovements } from './ruleMovements';
import { usageBefore } from './usageBefore';

/** How a return treats an award. `why` is the reason when the award cannot be decided again as its rule says. */
export type ReturnMode = { rule: Rule; why?: string } & (
  | { how: 'proportional' | 'keep' }
  | { how: 'reevaluate'; remaining: RemainingAwards; uses: readonly CounterUse[] }
);

/** The return mode of an award; undefined when no rule awarded it. */
export type ReturnModes = (award: RuleMovement) => ReturnMode | undefined;

type JudgedState = Pick<MemberState, 'doc' | 'program' | 'policies'>;

type JudgeContext = Pick<BatchContext, 'evaluator' | 'pastRuleSets'>;

/**
 * Decides how a partial return treats each award. `onReturn` of the rule decides; without it, it depends on whether the
 * return names line items. An award that cannot be decided again is returned by its proportion, and `why` says so.
 */
export async function decideReturnModes(
  context: JudgeContext,
  state: JudgedState,
  { original, part }: { original: ActivityHistory; part: ReturnScope },
): Promise<ReturnModes> {
  const ruleSet = original.ruleSet === undefined ? undefined : context.pastRuleSets.get(original.ruleSet);
  const rules = ruleSet?.forActivity(original.program, original.type).rules ?? [];
  const byId = new Map(rules.map((rule) => [rule._id.toHexString(), rule]));
  const ruleOf = ({ rule }: RuleMovement) => byId.get(rule?.toHexString() ?? '');
  const awards = ruleMovements(original.effects ?? noEffects).filter(
    ({ kind, isMoved }) => kind === 'given' && !isMoved,
  );
  const isReevaluated = awards.some((award) => {
    const rule = ruleOf(award);
    return rule !== undefined && returnHandling(rule, part) === 'reevaluate';
  });
  // Without a fact snapshot, for example after an erasure, the history may not have all facts that the rules read.
  const hasFacts = original.factsRead !== undefined;
  const again =
    ruleSet && isReevaluated && hasFacts ? await decideWithout(context, { state, original, part, ruleSet }) : undefined;
  return (award) => {
    const rule = award.kind === 'given' && !award.isMoved ? ruleOf(award) : undefined;
    if (!rule) return undefined;
    const how = returnHandling(rule, part);
    if (how !== 'reevaluate') return { rule, how: how === 'keep' ? 'keep' : 'proportional' };
    return again ? decideReturnMode(rule, again) : { rule, how: 'proportional', why: 'not kept: the facts of its day' };
  };
}

interface Reevaluation extends DecidedAgain {
  left: RemainingActivity;
  remaining: RemainingAwards;
  /** What the rest of the activity uses of limits, its line items by their positions in the original. */
  uses: readonly CounterUse[];
}

function decideReturnMode(
  rule: Rule,
  { decision, unsure, incomplete, left, remaining, uses }: Reevaluation,
): ReturnMode {
  const decisive = unsure.find(({ isDecisive }) => isDecisive);
  const own = unsure.some(({ rule: { key } }) => key === rule.key) ? incomplete.get(rule.key) : undefined;
  const missing = decisive ?? own;
  if (missing) return { rule, how: 'proportional', why: `not kept: ${missing.missing.join(', ')}` };
  const failure = decision.errors.find(({ code }) => code === 2900);
  if (failure) return { rule, how: 'proportional', why: failure.message };
  const [error] = decision.errors;
  const why = error?.message ?? (left.scaled.length > 0 ? `scaled: ${left.scaled.join(', ')}` : undefined);
  return { rule, how: 'reevaluate', remaining, uses, ...(why === undefined ? {} : { why }) };
}

interface Returned {
  state: JudgedState;
  original: ActivityHistory;
  part: ReturnScope;
  ruleSet: RuleSet;
}

/** Decides the activity again with its own rule set and fact snapshot, without the returned part. */
async function decideWithout(
  { evaluator }: JudgeContext,
  { state, original, part, ruleSet }: Returned,
): Promise<Reevaluation> {
  const past = restorePastActivity(original, { program: state.program, ruleSet, purseNames: new Map() });
  const { returnedValue: value, returnedByValue: byValue, lines } = part;
  const remainingActivity = withoutReturned(past, { value, byValue, lines });
  const { rules } = ruleSet.forActivity(original.program, original.type);
  const owners = counterOwners(original, state);
  const used = usageBefore(rules, original, past, owners);
  const again = await decideAgain(remainingActivity.past, { evaluator, ...used, rulesOf: compileReturnRules(ruleSet) });
  // If the rules refuse the remaining part, it would have earned nothing.
  const awards = again.decision.errors.length > 0 ? [] : again.target.awards;
  const { positions } = remainingActivity;
  const purseNamed = (purseName: string) => state.policies.find(({ name }) => name === purseName)?._id;
  const remaining = remainingAwards(awards, { positions, purseOf: awardPurses(original), purseNamed });
  const uses = again.decision.usage.map((use) => atPositions(use, positions));
  return { ...again, left: remainingActivity, remaining, uses };
}

function atPositions({ by, ...use }: CounterUse, positions: readonly number[]): CounterUse {
  const lines = by?.lines?.map((line) => positions[line] ?? line);
  return { ...use, ...(by && { by: { ...by, ...(lines && { lines }) } }) };
}

/** The purse that each award went to. Its id comes from the effects, because purses may have been renamed. */
function awardPurses({ effects = noEffects }: ActivityHistory): RemainingAwardsContext['purseOf'] {
  const awards = ruleMovements(effects).filter(({ kind, isMoved }) => kind === 'given' && !isMoved);
  return (rule, action, isOwn) =>
    awards.find(
      (award) => award.rule?.equals(rule) && (award.action ?? 0) === action && isOwn === isOwnMovement(effects, award),
    )?.purse;
}

type RulesOf = Parameters<typeof decideAgain>[1]['rulesOf'];

/** The compiled rules of each rule set. Rule sets never change, so an entry stays valid. */
const compiled = new WeakMap<RuleSet, RulesOf>();

function compileReturnRules(ruleSet: RuleSet): RulesOf {
  const known = compiled.get(ruleSet);
  if (known) return known;
  const evaluable = evaluableRules(ruleSet);
  const made: RulesOf = ({ program, activity }, facts) => evaluable(program._id, activity.type, facts);
  compiled.set(ruleSet, made);
  return made;
}
