import type { ObjectId } from 'bson';
import type { InactiveOn } from '#engine/points/ledger/expiry';
import type { MemberState } from '#members/memberState/memberState';

/** An Accrual or Redemption that was processed and is not cancelled: it keeps its member active. */
export interface EffectiveActivity {
  _id: ObjectId;
  date: Date;
  /** The inactivity date that it alone gives each purse. Absent in older histories. */
  inactiveOn?: readonly InactiveOn[] | undefined;
}

/** The effective activities of members by hexadecimal id. */
interface WithEffective {
  effective: Map<string, readonly EffectiveActivity[]>;
}

/** Adds an activity of this batch, so that later cancellations of the batch count it. */
export function addEffective(
  { effective }: WithEffective,
  { doc }: Pick<MemberState, 'doc'>,
  added: EffectiveActivity,
): void {
  const key = doc._id.toHexString();
  const known = effective.get(key);
  if (known) effective.set(key, [...known, added]);
}

/** Removes a cancelled activity, so that later cancellations of the batch do not count it. */
export function removeEffective(
  { effective }: WithEffective,
  { doc }: Pick<MemberState, 'doc'>,
  cancelled: ObjectId,
): void {
  const key = doc._id.toHexString();
  const known = effective.get(key);
  if (known)
    effective.set(
      key,
      known.filter(({ _id }) => !_id.equals(cancelled)),
    );
}
