import type { ObjectId } from 'bson';
import type { ActivityHistory } from '../../records/activities/activityHistory';
import type { IssuedReward } from '../../records/offers/issuedReward';
import type { BatchContext } from '../state/batchContext';
import type { Returned, Returning } from './returning';
import { returnPoints } from './returnPoints';
import { subtractMetrics } from './subtractMetrics';

/** What came back of an activity that was cancelled before, and the activity as it stands then. */
interface ReturnedCost extends Pick<Returned, 'lines' | 'uses'> {
  before: ActivityHistory;
  after: ActivityHistory;
}

/**
 * Gives back what an issued reward cost and used up. The activity that issued it was cancelled while the reward was used,
 * and kept its cost until now.
 * @throws PointsOverflow
 */
export function returnCost(context: BatchContext, cancel: Returning, reward: IssuedReward): ReturnedCost | undefined {
  const issuer = context.histories.get(reward.activity.toHexString());
  if (!issuer?.effects) return undefined;
  const { effects } = issuer;
  const isOf = ({ issued }: { issued?: ObjectId }) => issued?.equals(reward._id) === true;
  const totals = new Map([...effects.burned, ...effects.debts].map((effect) => [effect, effect.points]));
  const points = returnPoints(context, { ...cancel, target: issuer, totals }, effects, (effect) => !isOf(effect));
  const metrics = effects.metrics.map((metric) => (isOf(metric) ? { ...metric, returned: metric.value } : metric));
  const counters = effects.counters.map((each) => (isOf(each) ? { ...each, returned: each.amount } : each));
  subtractMetrics(context, { ...cancel, target: issuer }, metrics);
  return {
    before: issuer,
    after: { ...issuer, effects: { ...effects, ...points.effects, metrics, counters } },
    lines: points.lines,
    uses: counters.map(({ id, returned }, index) => ({
      id,
      amount: (effects.counters[index]?.returned ?? 0) - returned,
    })),
  };
}
