import type { ObjectId } from 'bson';
import { proportion, type ReturnedShare } from '../../points/ledger/proportion';
import type { StoredEffects } from '../../records/activities/activityHistory';
import { isReferrer } from './ruleMovement';

type Metrics = StoredEffects['metrics'];
type Metric = Metrics[number];
type Accrued = StoredEffects['accrued'];

/**
 * The metrics of an activity with what goes back of each: of points earned as many as went back of their award, of others
 * their share, rounded towards zero on the running total.
 * @param accrued what it awarded, as it stands after the return
 */
export function returnedMetrics(effects: StoredEffects, accrued: Accrued, share: ReturnedShare): Metrics {
  const awarded = accrued.filter(({ moved }) => !moved);
  const nextOf = { total: awarded.values(), ofPurse: awarded.values() };
  return effects.metrics.map((metric) => {
    const lots = isEarned(metric) && (metric.metric === earned ? nextOf.total : nextOf.ofPurse);
    const lot = lots ? lots.next().value : undefined;
    const isOf =
      lot?.points === metric.value && isSame(metric.member, isReferrer(effects, lot.member) ? lot.member : undefined);
    return { ...metric, returned: isOf && lot ? lot.returned : signedProportion(metric.value, share) };
  });
}

const earned = 'pointsEarned';

/** Each award counts in two metrics, in the order of the awards. */
function isEarned({ metric }: Metric): boolean {
  return metric === earned || metric.startsWith(`${earned}:`);
}

/** Metrics of the member of the activity name none. */
function isSame(named: ObjectId | undefined, other: ObjectId | undefined): boolean {
  return named && other ? named.equals(other) : named === other;
}

/** Metrics may be negative; their share is rounded towards zero, so that parts never exceed the whole. */
function signedProportion(value: number, share: ReturnedShare): number {
  return value < 0 ? -proportion(-value, share) : proportion(value, share);
}
