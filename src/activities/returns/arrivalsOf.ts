import type { ObjectId } from 'bson';
import type { StoredEffects } from '../../records/activities/activityHistory';

type Burned = StoredEffects['burned'][number];

/**
 * The lots as which points that an activity transferred arrived, by what left. Effects stored before `movedTo` was kept
 * were noted in pairs: in their order, each arrival belongs to the next that left with as many points.
 */
export function arrivalsOf({
  accrued,
  burned,
}: Pick<StoredEffects, 'accrued' | 'burned'>): ReadonlyMap<Burned, ObjectId> {
  const arrivals = new Map<Burned, ObjectId>();
  const moved = accrued.filter((effect) => effect.moved);
  // An activity was stored by one version: it names the lots of all its transfers or of none.
  const isNamed = burned.some(({ movedTo }) => movedTo);
  for (const effect of burned) {
    const arrival = moved[arrivals.size];
    const isOld = !isNamed && !effect.issued && effect.points === arrival?.points;
    const lot = isOld ? arrival?.lot : effect.movedTo;
    if (lot) arrivals.set(effect, lot);
  }
  return arrivals;
}
