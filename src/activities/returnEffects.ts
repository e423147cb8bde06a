import type { ObjectId } from 'bson';
import { dayOf } from '../aggregates/periods';
import { changeMember } from '../points/changeMember';
import { proportion } from '../points/proportion';
import { type ActivityHistory, noEffects, type StoredEffects } from './activityHistory';
import type { BatchContext } from './batchContext';
import type { CancelTarget, ReturnedPart } from './cancelTarget';
import { survivingState } from './checkActivity';
import type { LedgerTarget } from './ledgerTarget';
import type { PlanDraft } from './planDraft';
import { returnPoints } from './returnPoints';
import { returnReferrals } from './returnReferrals';
import { returnRewards } from './returnRewards';
import type { Work } from './work';

/** What giving back did: the target's effects as they stand now, and what is told about it. */
export interface Returned {
  effects: StoredEffects;
  lines: readonly object[];
}

/** What is given back, where: `ruled` works on the members, this one and others. */
export type Returning = CancelTarget & { ruled: LedgerTarget; part: ReturnedPart };

/**
 * Gives back a part of what an activity did (DESIGN 7, Cancel): points of every member, metrics, limits, budgets and
 * uses; referrals and rewards when all of it is returned.
 */
export function returnEffects(context: BatchContext, draft: PlanDraft, work: Work, cancel: Returning): Returned {
  const { target, part } = cancel;
  const effects = target.effects ?? noEffects;
  const rewards = part.isWhole ? returnRewards(context, cancel.ruled, effects) : { kept: new Set<string>(), lines: [] };
  const isKept = ({ issued }: { issued?: ObjectId }) => issued !== undefined && rewards.kept.has(issued.toHexString());
  // What a reward cost comes back with the reward: when all is returned, and nobody used it.
  const isPaid = (effect: { issued?: ObjectId }) => effect.issued !== undefined && (!part.isWhole || isKept(effect));
  const points = returnPoints(context, cancel, without(effects, isPaid));
  const counters = effects.counters.map((counter) =>
    isKept(counter) ? counter : { ...counter, returned: counterShare(counter, part) },
  );
  draft.use(
    counters.map(({ id, returned }, index) => ({ id, amount: (effects.counters[index]?.returned ?? 0) - returned })),
  );
  if (part.isWhole) returnReferrals(context, cancel, effects);
  const metrics = returnMetrics(context, work, cancel, effects, isPaid);
  const { accrued, burned, debts } = points.effects;
  const paid = { burned: effects.burned.filter(isPaid), debts: effects.debts.filter(isPaid) };
  const all = { accrued, burned: [...burned, ...paid.burned], debts: [...debts, ...paid.debts], metrics, counters };
  return { effects: { ...effects, ...all }, lines: [...points.lines, ...rewards.lines] };
}

type IsPaid = (effect: { issued?: ObjectId }) => boolean;

function without(effects: StoredEffects, isPaid: IsPaid): StoredEffects {
  const burned = effects.burned.filter((effect) => !isPaid(effect));
  return { ...effects, burned, debts: effects.debts.filter((effect) => !isPaid(effect)) };
}

/** Subtracts the share of each metric, on its day, and counts an Accrual as not processed. */
function returnMetrics(
  context: BatchContext,
  work: Work,
  { target, state, ruled, part }: Returning,
  effects: StoredEffects,
  isPaid: IsPaid,
): StoredEffects['metrics'] {
  const metrics = effects.metrics.map((metric) => ({
    ...metric,
    returned: isPaid(metric) ? (metric.returned ?? 0) : signedProportion(metric.value, part),
  }));
  const day = dayOf(target.date);
  const own = [];
  for (const [index, { metric, returned, member }] of metrics.entries()) {
    const value = (effects.metrics[index]?.returned ?? 0) - returned;
    if (value === 0) continue;
    const owner = (member && survivingState(context, member.toHexString())) ?? state;
    const entry = { member: owner.doc._id, metric, day, value };
    if (owner === state) own.push(entry);
    else ruled.others.open(owner).metrics.push(entry);
  }
  changeMember(state, work.author, own, context.now);
  if (part.isWhole && target.type === 'Accrual') state.processedAccruals = Math.max(0, state.processedAccruals - 1);
  return metrics;
}

/** Metrics may be negative; their share is rounded towards zero, so that parts never exceed the whole. */
function signedProportion(value: number, part: ReturnedPart): number {
  return value < 0 ? -proportion(-value, part) : proportion(value, part);
}

/** Points of limits and budgets come back with their part, uses only when all is returned. */
function counterShare({ what, amount }: StoredEffects['counters'][number], part: ReturnedPart): number {
  if (what === 'points') return proportion(amount, part);
  return part.isWhole ? amount : 0;
}

/** The target as the cancellation leaves it. */
export function returnedTarget(target: ActivityHistory, part: ReturnedPart, effects: StoredEffects): ActivityHistory {
  return {
    ...target,
    status: part.isWhole ? 'Cancelled' : target.status,
    returnedValue: part.returned,
    effects,
  };
}
