import type { ObjectId } from 'bson';
import type { Member } from '../../records/members/member';
import { addToLifetime } from './addToLifetime';

type Lifetime = Member['aggregates'][number];

/**
 * The lifetime aggregates of the survivor of a merge: of each metric and end the sum, so that what is cancelled later
 * still finds the aggregate it went to.
 * @param held what each member holds, the survivor's first
 */
export function mergeLifetime(survivor: ObjectId, held: readonly (readonly Lifetime[])[], now: Date): Lifetime[] {
  const [own = [], ...others] = held;
  return addToLifetime(own, others.flat().map(entryOf), now, survivor);
}

function entryOf({ metricName: metric, metricAggValue: value, expirationDate }: Lifetime) {
  return { metric, value, ...(expirationDate ? { expirationDate } : {}) };
}
