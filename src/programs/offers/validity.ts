import { addTerm } from '#base/calendar/localCalendar';
import { type Message, message } from '#base/common/messages/message';
import { expiryDate } from '#engine/points/ledger/expiry';
import type { IssuedReward } from '#records/offers/issuedReward';
import type { Reward } from '#records/offers/reward';
import type { SnappedDuration } from '#records/points/terms';

/** When a code is valid: from `validFrom` on, before `validUntil`. */
export type Validity = Pick<IssuedReward, 'validFrom' | 'validUntil'>;

/** When the code of a reward is valid that is issued at `from`, in the program's time zone. */
export function validityOf(
  { validAfter, validFor }: Pick<Reward, 'validAfter' | 'validFor'>,
  from: Date,
  timezone: string,
): Validity {
  const validFrom = validAfter && addTerm(from, validAfter.value, validAfter.unit, timezone);
  return { ...(validFrom ? { validFrom } : {}), ...validUntil(validFor, validFrom ?? from, timezone) };
}

/** When what is valid from a date on ends. */
export function validUntil(
  terms: SnappedDuration | undefined,
  from: Date,
  timezone: string,
): Pick<Validity, 'validUntil'> {
  const end = terms && expiryDate(from, { ...terms, type: 'rolling' }, timezone);
  return end ? { validUntil: end } : {};
}

/** Says why a code is not valid at a date; undefined when it is. */
export function validityFault({ validFrom, validUntil: end }: Validity, date: Date): Message | undefined {
  if (validFrom && date < validFrom) return message('offers.validFrom', { date: validFrom.toISOString() });
  return end && date >= end ? message('offers.validUntil', { date: end.toISOString() }) : undefined;
}
