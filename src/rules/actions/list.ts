import { EvaluationError } from '../language/amount';
import type { Effect, RejectEffect } from '../language/effect';
import type { ActionContext, ActionDefinition } from './action';
import { type AddMetric, addMetric } from './addMetric';
import { type AddPoints, addPoints } from './addPoints';
import { type ApplyOffer, applyOffer } from './applyOffer';
import { type CompleteReferral, completeReferral } from './completeReferral';
import { type IssueReward, issueReward } from './issueReward';
import { type Log, log } from './log';
import { type LookupProducts, lookupProducts } from './lookupProducts';
import { type RedeemPoints, redeemPoints } from './redeemPoints';
import { type Reject, reject } from './reject';
import { type AddSegment, addSegment, type RemoveSegment, removeSegment } from './segments';
import { type SetData, setData } from './setData';
import { type SetExt, setExt } from './setExt';
import { type SetTier, setTier } from './setTier';
import { type TransferPoints, transferPoints } from './transferPoints';

interface ActionsByType {
  addPoints: AddPoints;
  redeemPoints: RedeemPoints;
  setTier: SetTier;
  transferPoints: TransferPoints;
  addMetric: AddMetric;
  lookupProducts: LookupProducts;
  addSegment: AddSegment;
  removeSegment: RemoveSegment;
  issueReward: IssueReward;
  applyOffer: ApplyOffer;
  completeReferral: CompleteReferral;
  setData: SetData;
  setExt: SetExt;
  reject: Reject;
  log: Log;
}

export type ActionType = keyof ActionsByType;

/** An action of a rule as written in its file. */
export type RuleAction<T extends ActionType = ActionType> = { [K in T]: ActionsByType[K] }[T];

/** Every action a rule may have; a new action is one file and one line here. */
export const actionDefinitions: { [K in ActionType]: ActionDefinition<ActionsByType[K]> } = {
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

/** Names of all actions, in the order of {@link actionDefinitions}. */
export const actionTypes = Object.keys(actionDefinitions) as readonly ActionType[];

/**
 * The effects of one action.
 * @throws EvaluationError when an amount cannot be computed
 */
export function effectsOf<T extends ActionType>(
  action: RuleAction<T>,
  context: ActionContext,
): (Effect | RejectEffect)[] {
  // A set that a newer version of the service published may have actions that this one does not know.
  if (!Object.hasOwn(actionDefinitions, action.type)) throw new EvaluationError(`unknown action ${action.type}`);
  const definition: ActionDefinition<RuleAction<T>> = actionDefinitions[action.type as T];
  return definition.effects(action, context);
}
