import { addTerm } from '#base/calendar/localCalendar';
import type { Ladder } from '#records/members/memberTier';
import { topStep } from './claims';
import { isSetByRule } from './ladder';
import { keyAt, type LadderInput, levelAt } from './levels';
import { periodClaim, withClaim } from './periodClaims';
import { withPeriod } from './reachedPeriods';

/** Activities that are dated more months ago give no level. */
const lateMonthsMax = 36;

/** The value of the metric in the period of a date that is past; `added` of it is new. */
export interface LateSum {
  date: Date;
  value: number;
  added: number;
}

/** Tells whether an activity of this date may still give a level of an earlier period. */
export function isLate(date: Date, input: Pick<LadderInput, 'policy' | 'timezone' | 'now'>): boolean {
  const { timezone, now } = input;
  return (
    date < now && keyAt(date, input) !== keyAt(now, input) && date >= addTerm(now, -lateMonthsMax, 'month', timezone)
  );
}

/**
 * Gives the level that a late activity reaches in the period of its date, as if it had come in time: with the same end,
 * and with the renewals and downgrades since then. A level that the member has already, or a higher one, stays. So does
 * one that a rule set, unless the activity itself reaches the level.
 */
export function climbLate(ladder: Ladder, { date, value, added }: LateSum, input: LadderInput): Ladder {
  const reached = levelAt(input, value);
  const top = topStep(ladder);
  if (!reached) return ladder;
  if (top && isSetByRule(top) && levelAt(input, value - added)?.number === reached.number) return ladder;
  const claim = periodClaim({ level: reached, at: date }, input);
  if (!claim) return ladder;
  return withClaim(withPeriod(ladder, reached, date, input), claim, input);
}
