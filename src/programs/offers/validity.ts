import { addTerm } from '#base/calendar/localCalendar';
import { snappedEnd } from '#base/calendar/snaps';
import { type Message, message } from '#base/common/messages/message';
import type { IssuedReward } from '#records/offers/issuedReward';
import type { Reward } from '#records/offers/reward';
import type { SnappedDuration } from '#records/points/terms';

/** When a code is valid: from `validFrom` on, before `validUntil`. */
export type Validity = Pick<IssuedReward, 'validFrom' | 'validUntil'>;

/** When the code of a reward is valid that is issued at `from`, in the program's time zone. */
export function rewardValidity(
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
  return terms ? { validUntil: snappedEnd(from, terms, timezone) } : {};
}

/** Says why a code is not valid at a date; undefined when it is. */
export function validityFault({ validFrom, validUntil: end }: Validity, date: Date): Message | undefined {
  if (validFrom && date < validFrom) return message('offers.validFrom', { date: validFrom.toISOString() });
  return end && date >= end ? message('offers.validUntil', { date: end.toISOString() }) : undefined;
}
