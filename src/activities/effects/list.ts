import type { ProcessingError } from '../../records/activities/activityHistory';
import type { Rule } from '../../rules/format/rule';
import type { Effect } from '../../rules/language/effect';
import type { LedgerTarget } from '../state/ledgerTarget';
import { addMetric } from './addMetric';
import { addPoints } from './addPoints';
import { applyOffer } from './applyOffer';
import type { CarryOut } from './carryOut';
import { changeSegment } from './changeSegment';
import { completeReferral } from './completeReferral';
import { issueReward } from './issueReward';
import { log } from './log';
import { lookupProducts } from './lookupProducts';
import { redeemPoints } from './redeemPoints';
import { setData } from './setData';
import { setExt } from './setExt';
import { setTier } from './setTier';
import { transferPoints } from './transferPoints';

/** What each effect does to the working state; a new effect is one file and one line here. */
const effects: { [T in Effect['type']]: CarryOut<Extract<Effect, { type: T }>> } = {
  addPoints,
  redeemPoints,
  setTier,
  transferPoints,
  addMetric,
  lookupProducts,
  addSegment: changeSegment,
  removeSegment: changeSegment,
  issueReward,
  applyOffer,
  completeReferral,
  setData,
  setExt,
  log,
};

/** Carries out an effect of a rule; answers why it cannot. */
export function carryOut<T extends Effect['type']>(
  target: LedgerTarget,
  effect: Extract<Effect, { type: T }>,
  rule: Rule,
): ProcessingError | undefined {
  const each: CarryOut<Extract<Effect, { type: T }>> = effects[effect.type as T];
  return each(target, effect, rule);
}
