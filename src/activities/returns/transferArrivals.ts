import type { ObjectId } from 'bson';
import type { StoredEffects } from '#records/activities/activityHistory';

type Burned = StoredEffects['burned'][number];

/**
 * For each transferred part of a burned lot, the lot in which its points arrived. Older effects have no `movedTo`. They
 * were stored in pairs, so the next arrival with the same number of points belongs to the part.
 */
export function transferArrivals({
  accrued,
  burned,
}: Pick<StoredEffects, 'accrued' | 'burned'>): ReadonlyMap<Burned, ObjectId> {
  const arrivals = new Map<Burned, ObjectId>();
  const moved = accrued.filter((effect) => effect.moved);
  // One version of the service stored the activity. So either all of its transfers have `movedTo`, or none.
  const isNamed = burned.some(({ movedTo }) => movedTo);
  for (const effect of burned) {
    const arrival = moved[arrivals.size];
    const isOld = !isNamed && !effect.issued && effect.points === arrival?.points;
    const lot = isOld ? arrival?.lot : effect.movedTo;
    if (lot) arrivals.set(effect, lot);
  }
  return arrivals;
}
