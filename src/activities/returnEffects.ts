import type { ObjectId } from 'bson';
import { dayOf } from '../aggregates/periods';
import { changeMember } from '../points/changeMember';
import { type GiveBackLine, giveBack } from '../points/giveBack';
import type { Ledger } from '../points/ledger';
import { proportion } from '../points/proportion';
import { expiryMetrics } from '../points/settleState';
import { type ActivityHistory, noEffects, type StoredEffects } from './activityHistory';
import type { BatchContext } from './batchContext';
import type { CancelTarget, ReturnedPart } from './cancelTarget';
import type { PlanDraft } from './planDraft';
import type { Work } from './work';

/** What giving back did: the target's effects as they stand now, and what is told about it. */
export interface Returned {
  effects: StoredEffects;
  lines: readonly GiveBackLine[];
}

/** Gives back a part of what an activity did: points, metrics, limits and budgets (DESIGN 7, Cancel). */
export function returnEffects(
  context: BatchContext,
  draft: PlanDraft,
  work: Work,
  cancel: CancelTarget & { ledger: Ledger; part: ReturnedPart; activityId: ObjectId },
): Returned {
  const { target, state, ledger, part, activityId } = cancel;
  const effects = target.effects ?? noEffects;
  const points = giveBack(ledger, { effects, share: part, activity: activityId });
  const metrics = effects.metrics.map((metric) => ({ ...metric, returned: signedProportion(metric.value, part) }));
  const counters = effects.counters.map((counter) => ({ ...counter, returned: counterShare(counter, part) }));
  draft.use(
    counters.map(({ id, returned }, index) => ({ id, amount: (effects.counters[index]?.returned ?? 0) - returned })),
  );
  const member = state.doc._id;
  const day = dayOf(target.date);
  const taken = metrics.flatMap(({ metric, returned }, index) => {
    const value = (effects.metrics[index]?.returned ?? 0) - returned;
    return value === 0 ? [] : [{ member: member.equals(target.memberID) ? state.doc._id : member, metric, day, value }];
  });
  changeMember(state, work.author, [...taken, ...expiryMetrics(state, points.settled)], context.now);
  if (part.isWhole && target.type === 'Accrual') state.processedAccruals = Math.max(0, state.processedAccruals - 1);
  return { effects: { ...points.effects, metrics, counters }, lines: points.lines };
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
