import { addTerm, dayOn, type FollowingTerms, localDay } from '#base/calendar/localCalendar';
import { periodStart } from '#base/calendar/periods';
import { endOfPeriod } from '#base/calendar/snaps';
import { dayOfText, daysLater, startOfDay, yearFrom } from '#base/calendar/windows';
import type { LadderStep } from '#records/members/memberTier';
import type { TierTerm } from '#records/points/terms';
import type { TierPolicy } from '#records/programs/tierPolicy';
import type { LadderInput } from './levels';

/** What the end of a term depends on. */
type TermCalendar = Pick<LadderInput, 'timezone' | 'enrolledAt'>;

/** When a term ends that counts from a date. */
export function termEnd(
  from: Date,
  { value, unit, snap }: TierTerm,
  { timezone, enrolledAt = from }: TermCalendar,
): Date {
  const end = addTerm(from, value, unit, timezone);
  if (!snap) return end;
  if (snap !== 'endOfMemberYear') return endOfPeriod(end, snap, timezone);
  const { last } = yearFrom(localDay(enrolledAt, timezone), localDay(end, timezone));
  return startOfDay(daysLater(last, 1), timezone);
}

/**
 * When a level for a time ends: after its last day, or after its term from a date. Undefined: it is not for a time.
 */
export function timeEnd(
  { until, for: term }: { until?: string; for?: TierTerm },
  from: Date,
  input: TermCalendar,
): Date | undefined {
  if (until !== undefined) return startOfDay(daysLater(dayOfText(until), 1), input.timezone);
  return term && termEnd(from, term, input);
}

/** When a level ends, and when the first of its terms began. Both absent: it has no end. */
export type LevelEnd = Pick<LadderStep, 'expiresOn' | 'termsFrom'>;

/** The end of a level alone. */
export function pickLevelEnd({ expiresOn, termsFrom }: LevelEnd): LevelEnd {
  return expiresOn ? { expiresOn, ...(termsFrom ? { termsFrom } : {}) } : {};
}

/** The later of two ends; none is the latest. */
export function laterEnd(a: LevelEnd, b: LevelEnd): LevelEnd {
  return a.expiresOn && b.expiresOn ? pickLevelEnd(a.expiresOn > b.expiresOn ? a : b) : {};
}

/** The end of a level that is reached at a date. */
export function firstEnd(from: Date, input: LadderInput): LevelEnd {
  const { expiry } = input.policy;
  return expiry ? notPast(firstTerm(from, expiry, input), expiry, input) : {};
}

/** The term that begins at a date and follows no other one, also when it has ended. */
export function firstTerm(from: Date, expiry: TierTerm, input: TermCalendar): EndOfTerm {
  const expiresOn = termEnd(from, expiry, input);
  return keepsDay(expiry) ? { expiresOn, termsFrom: from } : { expiresOn };
}

/** The end of a level that has one. */
export type EndOfTerm = LevelEnd & { expiresOn: Date };

/** A term of which those that follow one another have a day of their own. A longer snap gives all of them its last day. */
export type DayKeepingTerm = TierTerm & { unit: FollowingTerms['unit']; snap?: 'endOfDay' };

/** Tells whether terms that follow one another have a day of their own. */
export function keepsDay(term: TierTerm): term is DayKeepingTerm {
  const { unit, snap } = term;
  return unit !== 'minute' && unit !== 'hour' && (!snap || snap === 'endOfDay');
}

/**
 * A term that would have ended already, after a long downtime or a change of the policy, begins now.
 */
export function notPast(end: EndOfTerm, expiry: TierTerm, input: LadderInput): EndOfTerm {
  return end.expiresOn > input.now ? end : firstTerm(input.now, expiry, input);
}

/** The end of the grace of a level that expired. */
export function graceEnd(expiresOn: Date, { policy: { grace }, timezone }: LadderInput): Date {
  return grace ? addTerm(expiresOn, grace.value, grace.unit, timezone) : expiresOn;
}

/** Most periods that decide when a level ends. */
const openPeriodsMax = 36;

/**
 * The last instant of each past period of the basis that decides when a level ends: those whose term has not ended now.
 * Terms without a snap have none, because the present period decides alone.
 */
export function openPeriodEnds({ policy, timezone, enrolledAt, now }: TermInput): Date[] {
  const { basis, expiry } = policy;
  if (!expiry?.snap || !basis || basis.period === 'lifetime') return [];
  const calendar = { timezone, ...(enrolledAt ? { enrolledAt } : {}) };
  const ends: Date[] = [];
  for (let date = now; ends.length < openPeriodsMax; ) {
    date = instantBefore(startOfDay(periodStart(basis.period, localDay(date, timezone)), timezone));
    if (termEnd(date, expiry, calendar) <= now) return ends;
    ends.push(date);
  }
  return ends;
}

type TermInput = Pick<LadderInput, 'policy' | 'timezone' | 'enrolledAt' | 'now'>;

/** The last instant before a date. */
export function instantBefore(date: Date): Date {
  return new Date(date.getTime() - 1);
}

/**
 * Tells whether a level ends at the same time on whatever day of a period it is reached. Then late activities may give
 * it, in any order. The calendar of four years decides, so that each month has all its lengths.
 */
export function endsAlike({ basis, expiry }: Pick<TierPolicy, 'basis' | 'expiry'>): boolean {
  if (!basis || !expiry || basis.period === 'lifetime') return true;
  if (!expiry.snap || expiry.snap === 'endOfMemberYear') return false;
  const { period } = basis;
  const timezone = 'UTC';
  const last = dayOn(2031, 12, 31);
  for (let day = dayOn(2028, 1, 1); day <= last; day = daysLater(day, 1)) {
    const first = startOfDay(periodStart(period, day), timezone);
    // The end of a term never becomes earlier from one instant to the next, so the first and the last one suffice.
    const [early, late] = [first, instantBefore(startOfDay(daysLater(day, 1), timezone))];
    if (termEnd(early, expiry, { timezone }) < termEnd(late, expiry, { timezone })) return false;
  }
  return true;
}
