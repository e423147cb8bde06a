import type { ObjectId } from 'bson';
import type { BatchContext } from '#activities/state/batchContext';
import { survivingState } from '#activities/state/checkActivity';
import type { EffectiveActivity } from '#activities/state/effective';
import { inactivityDates, isActivity } from '#engine/points/ledger/expiry';
import type { Ledger } from '#engine/points/ledger/ledger';
import { later, recountInactivity } from '#engine/points/ledger/recountInactivity';
import { type ActivityHistory, noEffects, type StoredEffects } from '#records/activities/activityHistory';
import type { ReturnInput } from './returnInput';

/**
 * Moves back the inactivity dates that an activity moved, when all of it is returned. These are the dates of its
 * member's purses, and of every purse whose period of inactivity began with its points. This happens before points are
 * returned, so that restored points that are past the date expire at once.
 */
export function returnInactivity(context: BatchContext, { original, state, changes }: ReturnInput): void {
  const { accrued } = original.effects ?? noEffects;
  const transferred = new Set(accrued.filter(({ moved }) => moved).map(({ lot }) => lot.toHexString()));
  const holders = accrued.flatMap(({ member }) => survivingState(context, member.toHexString()) ?? []);
  for (const holder of new Set([state, ...holders])) {
    const all = context.effective.get(holder.doc._id.toHexString());
    // No purse of the member has a date.
    if (!all) continue;
    const effective = all.filter(({ _id }) => !_id.equals(original._id));
    const isOwn = holder === state;
    const { ledger } = isOwn ? changes.input : changes.others.open(holder);
    const ownDates = isOwn && isActivity(original.type) ? inactiveDates(ledger, effectiveActivity(original)) : noDates;
    for (const { policyId: purse, inactiveOn } of ledger.purses()) {
      const date = ownDates.get(purse.toHexString());
      const hasMovedDate = inactiveOn !== undefined && date !== undefined && date >= inactiveOn;
      if (!hasMovedDate && !hasBegun(ledger, purse, accrued)) continue;
      recountInactivity(ledger, {
        purse,
        without: original._id,
        transferred,
        latestEffective: latestInactivity(ledger, purse, effective),
      });
    }
  }
}

/** True when points of the activity began a period of inactivity in this purse. */
function hasBegun(ledger: Ledger, purse: ObjectId, accrued: StoredEffects['accrued']): boolean {
  return accrued.some(({ lot: id }) => {
    const lot = ledger.lot(id);
    return lot?.purse.equals(purse) && lot.inactivityUntil !== undefined;
  });
}

const noDates: ReadonlyMap<string, Date> = new Map();

function effectiveActivity({ _id, date, effects }: ActivityHistory): EffectiveActivity {
  return { _id, date, inactiveOn: effects?.inactiveOn };
}

/** The inactivity dates that an activity alone gives purses, by hexadecimal id of the policy. */
function inactiveDates(ledger: Ledger, { date, inactiveOn }: EffectiveActivity): ReadonlyMap<string, Date> {
  const dates = inactiveOn ?? inactivityDates(ledger, date);
  return new Map(dates.map((each) => [each.purse.toHexString(), each.date]));
}

function latestInactivity(ledger: Ledger, purse: ObjectId, effective: readonly EffectiveActivity[]): Date | undefined {
  const dates = effective.map((each) => inactiveDates(ledger, each).get(purse.toHexString()));
  return dates.reduce(later, undefined);
}
