import { DateTime } from 'luxon';
import { zoneOfRecord } from '#base/calendar/timezones';
import type { Need } from '#engine/tiers/outlook';
import type { Program } from '#records/programs/program';

/** How a member adds an amount to a metric. */
function deedOf({ metric, missing }: Need, currency: string | undefined): string {
  const [name = '', purse] = metric.split(':');
  const points = purse === undefined ? 'points' : `points in ${purse}`;
  const deeds: Record<string, string> = {
    spend: `Spend ${missing}${currency === undefined ? '' : ` ${currency}`} more`,
    visits: `Come ${missing} more ${missing === 1 ? 'time' : 'times'}`,
    pointsEarned: `Earn ${missing} more ${points}`,
    pointsRedeemed: `Redeem ${missing} more ${points}`,
  };
  return deeds[name] ?? `Add ${missing} to ${metric}`;
}

/**
 * What a member needs, as a sentence with days of the program's time zone: `Spend 120 EUR more by 31 December 2026 to
 * keep Gold`.
 */
export function needInWords(
  need: Need,
  verb: 'keep' | 'reach',
  { timezone, currencyCode }: Pick<Program, 'timezone' | 'currencyCode'>,
): string {
  if (need.missing === 0) return `Nothing is missing to ${verb} ${need.level.name}`;
  const dayOf = (at: number) =>
    DateTime.fromMillis(at, { zone: zoneOfRecord(timezone), locale: 'en-GB' }).toFormat('d LLLL yyyy');
  // The last day is the one before the midnight at which the time ends.
  const by = need.by === undefined ? '' : ` by ${dayOf(need.by.getTime() - 1)}`;
  return `${deedOf(need, currencyCode)}${by} to ${verb} ${need.level.name}`;
}
