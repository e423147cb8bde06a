import type { ObjectId } from 'bson';
import { proportion, type ReturnedShare } from '#engine/points/ledger/proportion';
import type { StoredEffects } from '#records/activities/activityHistory';
import { isOwnMovement } from './ruleMovements';

type Metrics = StoredEffects['metrics'];
type Metric = Metrics[number];
type Accrued = StoredEffects['accrued'];

/**
 * The metrics of an activity after a return. A metric of earned points returns as many points as its award. Any other
 * returns its share, rounded towards zero on the total of all returns.
 * @param accrued the activity's awards after the return
 */
export function returnedMetrics(effects: StoredEffects, accrued: Accrued, share: ReturnedShare): Metrics {
  const awarded = accrued.filter(({ moved }) => !moved);
  const nextOf = { total: awarded.values(), ofPurse: awarded.values() };
  return effects.metrics.map((metric) => {
    const lots = isEarned(metric) && (metric.metric === earned ? nextOf.total : nextOf.ofPurse);
    const lot = lots ? lots.next().value : undefined;
    const isMetricOfLot = lot?.points === metric.value && isSame(metric.member, otherOwner(effects, lot));
    return { ...metric, returned: isMetricOfLot && lot ? lot.returned : signedProportion(metric.value, share) };
  });
}

/** The member of an award, when it is another than the activity's own. */
function otherOwner(effects: StoredEffects, lot: Accrued[number]): ObjectId | undefined {
  return isOwnMovement(effects, { member: lot.member, parts: [lot] }) ? undefined : lot.member;
}

const earned = 'pointsEarned';

/** True for the two metrics in which each award counts: the total and that of its purse, in the order of the awards. */
function isEarned({ metric }: Metric): boolean {
  return metric === earned || metric.startsWith(`${earned}:`);
}

/** Compares the members of a metric and an award. Undefined means the activity's own member. */
function isSame(named: ObjectId | undefined, other: ObjectId | undefined): boolean {
  return named && other ? named.equals(other) : named === other;
}

/**
 * The share of a metric, which may be negative. It is rounded towards zero, so that the parts never exceed the whole.
 */
function signedProportion(value: number, share: ReturnedShare): number {
  return value < 0 ? -proportion(-value, share) : proportion(value, share);
}
