import type { ObjectId } from 'bson';
import type { Member } from '../members/member';
import { addToLifetime, isExpired, lifetimeId } from './addToLifetime';

type Lifetime = Member['aggregates'][number];

/**
 * The lifetime aggregates of the survivor of a merge: of each metric the sum. Those that have ended already are kept
 * beside them until the timer moves them away.
 * @param held what each member holds, the survivor's first
 */
export function mergeLifetime(survivor: ObjectId, held: readonly (readonly Lifetime[])[], now: Date): Lifetime[] {
  const [own = [], ...others] = held;
  const foreign = others.flat();
  const open = foreign.filter((aggregate) => !isExpired(aggregate, now)).map(entryOf);
  const ended = foreign
    .filter((aggregate) => isExpired(aggregate, now))
    .map((aggregate) => ({ ...aggregate, _id: lifetimeId(survivor, aggregate.metricName, aggregate.expirationDate) }));
  return [...addToLifetime(own, open, now, survivor), ...ended];
}

function entryOf({ metricName: metric, metricAggValue: value, expirationDate }: Lifetime) {
  return { metric, value, ...(expirationDate ? { expirationDate } : {}) };
}
