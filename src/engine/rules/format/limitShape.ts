import { type Static, Type } from '@sinclair/typebox';
import type { BetweenDates, RollingWindow } from '#base/calendar/windows';
import { integerMax, oneOf, record, text } from '#base/schema/atoms';
import { having, ifThenElse } from '#base/schema/ifThenElse';
import { windowForms } from '../language/metricPeriod';

const periodWords = ['transaction', 'day', 'week', 'month', 'quarter', 'year', 'lifetime'] as const;

const ownYear = record({
  year: oneOf(['enrolment'], { description: "The member's own year, from each anniversary of its enrolment" }),
});

type LimitPeriod = (typeof periodWords)[number] | RollingWindow | { readonly year: 'enrolment' } | BetweenDates;

const period = Type.Unsafe<LimitPeriod>({
  'x-kind': `${periodWords.map((word) => `\`${word}\``).join(', ')}, or a [window](#windows)`,
  description:
    "Of the activity's date in the program's time zone; a week begins on Sunday. A window of days includes the activity's day; one of hours is exact; of years there is only `enrolment`, per member; on days outside of `from` and `to` the limit does not hold",
  ...ifThenElse(
    { type: 'object' },
    ifThenElse(having('last'), windowForms.rolling, ifThenElse(having('year'), ownYear, windowForms.betweenDates)),
    oneOf(periodWords),
  ),
});

/**
 * The period of a limit as a string that does not depend on the order of the fields of a window. It identifies stored
 * counters, so it must never change.
 */
export function limitPeriodText(period: LimitPeriod): string {
  if (typeof period === 'string') return period;
  if ('last' in period) return JSON.stringify({ last: period.last, unit: period.unit });
  return 'from' in period ? `${period.from} ${period.to}` : JSON.stringify(period);
}

/** A limit of a rule, as in its file. */
export const limitShape = record({
  what: oneOf(['points', 'times', 'amount'], {
    description:
      'points: those that the rule awards, or of a rule that awards none, redeems or else transfers; times: how often it fires (completeReferral has only this); amount: what its points are computed from, so that what is beyond it earns nothing',
  }),
  per: oneOf(['member', 'account', 'location', 'partner', 'product', 'coupon', 'program'], {
    description:
      'account: all members of the account, or the member when it has none; product: of the line item, needs perLine; coupon: the offer or reward that the line item or the activity names; program: all members together. Without a location, partner, product or coupon the limit does not hold',
  }),
  period,
  max: Type.Integer({
    minimum: 1,
    maximum: integerMax,
    description: 'Never exceeded, however many activities come in at once; a cancellation gives it back',
  }),
  onExceed: oneOf(['reduce', 'reject', 'skip'], {
    default: 'reduce',
    description: 'reduce gives what is left, skip lets the rule not fire, reject fails the activity with error 2110',
  }),
  limitGroup: Type.Optional(
    text(100, {
      description:
        'All limits of the program with this group count together; they have the same what, per, period and max',
    }),
  ),
});

/** One limit of a rule (docs/design/rules.md). */
export type Limit = Static<typeof limitShape>;
