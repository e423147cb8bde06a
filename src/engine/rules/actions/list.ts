import { EvaluationError } from '../language/evaluationError';
import type { ActionContext, ActionDefinition } from './action';
import type { ActingRule, ActionTarget, Refusal } from './actionTarget';
import { addMetric } from './addMetric';
import { addPoints } from './addPoints';
import { applyOffer } from './applyOffer';
import { completeReferral } from './completeReferral';
import { issueChoice } from './issueChoice';
import { issueReward } from './issueReward';
import { log } from './log';
import { lookupProducts } from './lookupProducts';
import { redeemPoints } from './redeemPoints';
import { reject } from './reject';
import { addSegment, removeSegment } from './segments';
import { setData } from './setData';
import { setExt } from './setExt';
import { setTier } from './setTier';
import { transferPoints } from './transferPoints';

/** Every action that a rule may have. A new action is one file and one line here. */
export const actionDefinitions = {
  addPoints,
  redeemPoints,
  setTier,
  transferPoints,
  addMetric,
  lookupProducts,
  addSegment,
  removeSegment,
  issueReward,
  issueChoice,
  applyOffer,
  completeReferral,
  setData,
  setExt,
  reject,
  log,
};

type Definitions = typeof actionDefinitions;
export type ActionType = keyof Definitions;

/** An action of a rule as written in its file. */
export type RuleAction<T extends ActionType = ActionType> = {
  [K in T]: Definitions[K] extends ActionDefinition<infer A, infer _E> ? A : never;
}[T];

/** What an action of a rule does for one activity, as data: its amounts are computed from the facts. */
export type Effect = ReturnType<Definitions[ActionType]['effects']>[number];

type AnyDefinition = ActionDefinition<RuleAction, Effect>;

/** Names of all actions, in the order of {@link actionDefinitions}. */
export const actionTypes = Object.keys(actionDefinitions) as readonly ActionType[];

/** The definition of an action; undefined when this version of the service does not have the action. */
export function findActionDefinition(type: string): AnyDefinition | undefined {
  return Object.hasOwn(actionDefinitions, type) ? (actionDefinitions[type as ActionType] as AnyDefinition) : undefined;
}

/** Maximum number of actions of a rule. The same maximum applies to its limits and its tests. */
export const listMax = 100;

/**
 * The effects of one action.
 * @throws EvaluationError when an amount cannot be computed
 */
export function actionEffects(action: RuleAction, context: ActionContext): Effect[] {
  const definition = findActionDefinition(action.type);
  // A newer version of the service may have published the rule set, with actions that this version does not know.
  if (!definition) throw new EvaluationError(`unknown action ${action.type}`);
  return definition.effects(action, context);
}

/** The facts of a rule, or of a rule for one line item, and how to read them. */
export interface RuleFacts extends Pick<ActionContext, 'readFact' | 'baseMax'> {
  line: number;
}

/**
 * The effects of the actions of a rule. Its position distinguishes the awards of a rule, so each action of each line
 * item gets its own.
 * @throws EvaluationError when an amount cannot be computed
 */
export function ruleEffects(actions: readonly RuleAction[], { line, readFact, baseMax }: RuleFacts): Effect[] {
  return actions.flatMap((action, position) =>
    actionEffects(action, { readFact, baseMax, position: line * listMax + position }),
  );
}

/** Which points limits of points and the budget of a rule count. */
export type CountedPoints = NonNullable<AnyDefinition['points']>;

/** What a rule with these actions counts: points awarded, else redeemed, else transferred. */
export function countedBy(actions: readonly RuleAction[]): CountedPoints {
  const counted = ['awarded', 'redeemed', 'transferred'] as const;
  return counted.find((each) => actions.some(({ type }) => findActionDefinition(type)?.points === each)) ?? 'awarded';
}

/** Tells whether the points of an effect are counted. */
export function isCounted(effect: Effect, counted: CountedPoints): effect is Extract<Effect, { points: number }> {
  return findActionDefinition(effect.type)?.points === counted;
}

/**
 * The counted points of effects.
 * @throws EvaluationError when they add up beyond 2^53 - 1
 */
export function countedPoints(effects: readonly Effect[], counted: CountedPoints): number {
  const sum = effects.reduce((total, effect) => (isCounted(effect, counted) ? total + effect.points : total), 0);
  if (!Number.isSafeInteger(sum)) throw new EvaluationError('the points of its actions are too large together');
  return sum;
}

/** Applies an effect, or returns why that is impossible. */
export function applyEffect(target: ActionTarget, effect: Effect, rule: ActingRule): Refusal {
  return findActionDefinition(effect.type)?.apply?.(target, effect, rule);
}
