import type { ObjectId } from 'bson';
import type { BatchContext } from '#activities/state/batchContext';
import type { ActivityHistory } from '#records/activities/activityHistory';
import type { IssuedReward } from '#records/offers/issuedReward';
import { counterReturns } from './counterReturns';
import type { ReturnInput, ReturnOutcome } from './returnInput';
import { returnPayments } from './returnPayments';
import { returnPoints } from './returnPoints';
import { subtractMetrics } from './subtractMetrics';

/** The returned costs of an activity that was cancelled before, and its history before and after. */
interface ReturnedCost extends Pick<ReturnOutcome, 'lines' | 'uses'> {
  before: ActivityHistory;
  after: ActivityHistory;
}

/**
 * Returns the costs and uses of issued rewards. The activities that issued them were cancelled while the rewards were
 * used, so their costs were not returned then.
 * @throws PointsOverflow
 */
export function returnCosts(
  context: BatchContext,
  cancel: ReturnInput,
  rewards: readonly IssuedReward[],
): ReturnedCost[] {
  const byIssuer = new Map<string, Set<string>>();
  for (const { _id, activity } of rewards) {
    if (!activity) continue;
    const issuer = activity.toHexString();
    byIssuer.set(issuer, (byIssuer.get(issuer) ?? new Set()).add(_id.toHexString()));
  }
  return [...byIssuer].flatMap(([issuer, issued]) => {
    const history = context.histories.get(issuer);
    return history ? returnCost(context, { ...cancel, original: history }, issued) : [];
  });
}

/** Returns the costs of these rewards. The original of `cancel` issued them, and possibly others. */
function returnCost(context: BatchContext, cancel: ReturnInput, rewards: ReadonlySet<string>): ReturnedCost[] {
  const { original } = cancel;
  const { effects } = original;
  if (!effects) return [];
  const isOfRewards = ({ issued }: { issued?: ObjectId }) => issued !== undefined && rewards.has(issued.toHexString());
  const totals = new Map([...effects.burned, ...effects.debts].map((effect) => [effect, effect.points]));
  const points = returnPoints(context, { ...cancel, totals }, effects, (effect) => !isOfRewards(effect));
  const metrics = effects.metrics.map((metric) =>
    isOfRewards(metric) ? { ...metric, returned: metric.value } : metric,
  );
  const counters = effects.counters.map((each) => (isOfRewards(each) ? { ...each, returned: each.amount } : each));
  subtractMetrics(context, cancel, metrics);
  const money = returnPayments(effects.payments, { returned: 1, of: 1 }, isOfRewards);
  const after = { ...original, effects: { ...effects, ...points.effects, metrics, counters, ...money.payments } };
  const lines = [...points.lines, ...money.lines];
  return [{ before: original, after, lines, uses: counterReturns(effects.counters, counters) }];
}
