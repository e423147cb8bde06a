import { EvaluationError } from '../language/amount';
import type { ActionContext, ActionDefinition } from './action';
import type { ActingRule, ActionTarget, Refusal } from './actionTarget';
import { addMetric } from './addMetric';
import { addPoints } from './addPoints';
import { applyOffer } from './applyOffer';
import { completeReferral } from './completeReferral';
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
export function definitionOf(type: string): AnyDefinition | undefined {
  return Object.hasOwn(actionDefinitions, type) ? (actionDefinitions[type as ActionType] as AnyDefinition) : undefined;
}

/**
 * The effects of one action.
 * @throws EvaluationError when an amount cannot be computed
 */
export function effectsOf(action: RuleAction, context: ActionContext): Effect[] {
  const definition = definitionOf(action.type);
  // A newer version of the service may have published the rule set, with actions that this version does not know.
  if (!definition) throw new EvaluationError(`unknown action ${action.type}`);
  return definition.effects(action, context);
}

/** Applies an effect, or returns why that is impossible. */
export function applyEffect(target: ActionTarget, effect: Effect, rule: ActingRule): Refusal {
  return definitionOf(effect.type)?.apply?.(target, effect, rule);
}
