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

/** Every action a rule may have; a new action is one file and one line here. */
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

/** What a rule does, as data: what its actions come to with the facts of one activity. */
export type Effect = ReturnType<Definitions[ActionType]['effects']>[number];

type AnyDefinition = ActionDefinition<RuleAction, Effect>;

/** Names of all actions, in the order of {@link actionDefinitions}. */
export const actionTypes = Object.keys(actionDefinitions) as readonly ActionType[];

/** The definition of an action; undefined of one that only another version of the service has. */
export function definitionOf(type: string): AnyDefinition | undefined {
  return Object.hasOwn(actionDefinitions, type) ? (actionDefinitions[type as ActionType] as AnyDefinition) : undefined;
}

/**
 * The effects of one action.
 * @throws EvaluationError when an amount cannot be computed
 */
export function effectsOf(action: RuleAction, context: ActionContext): Effect[] {
  const definition = definitionOf(action.type);
  // A set that a newer version of the service published may have actions that this one does not know.
  if (!definition) throw new EvaluationError(`unknown action ${action.type}`);
  return definition.effects(action, context);
}

/** Carries out an effect, or answers why that cannot be. */
export function applyEffect(target: ActionTarget, effect: Effect, rule: ActingRule): Refusal {
  return definitionOf(effect.type)?.apply?.(target, effect, rule);
}
