import { localDay, nextTermDay, nextTermEnd } from '#base/calendar/localCalendar';
import { daysLater, startOfDay } from '#base/calendar/windows';
import type { LadderStep } from '#records/members/memberTier';
import type { TierTerm } from '#records/points/terms';
import type { LadderInput } from './levels';
import {
  type DayKeepingTerm,
  type EndOfTerm,
  firstTerm,
  instantBefore,
  keepsDay,
  type LevelEnd,
  notPast,
  termEnd,
} from './tierTerms';

/** A level whose term has ended. */
type EndedLevel = Pick<LadderStep, 'since' | 'termsFrom'> & { expiresOn: Date };

/**
 * The end of the term that follows the term of a level. A snapped term ends with a period, so the next one counts from
 * its last instant. Other terms keep the day on which the first one began: after 31 January and 28 February comes 31
 * March.
 */
export function nextEnd(level: EndedLevel, input: LadderInput): LevelEnd {
  const { expiry } = input.policy;
  return expiry ? notPast(nextTerm(level, expiry, input), expiry, input) : {};
}

/** A level that an earlier version stored does not tell its first day, and its ends had lost that day. */
function nextTerm(level: EndedLevel, expiry: TierTerm, input: LadderInput): EndOfTerm {
  const { termsFrom, expiresOn } = level;
  const uncounted = { expiresOn: termAfter(expiresOn, expiry, input) };
  if (!keepsDay(expiry)) return uncounted;
  const next = termsFrom ? keptTerm({ expiresOn, termsFrom }, expiry, input) : recountedTerm(level, expiry, input);
  // The policy or the time zone has changed since: this end is the first day of the terms that follow.
  return next ?? { ...uncounted, termsFrom: expiry.snap ? instantBefore(expiresOn) : expiresOn };
}

/** The end of a term that counts from an end alone. */
function termAfter(end: Date, expiry: TierTerm, input: LadderInput): Date {
  return termEnd(expiry.snap ? instantBefore(end) : end, expiry, input);
}

/** The next term with the day and time of the first one; undefined when the end is none of the terms from that day. */
function keptTerm(
  { expiresOn: end, termsFrom: first }: Required<EndOfTerm>,
  { value, unit, snap }: DayKeepingTerm,
  { timezone }: LadderInput,
): Required<EndOfTerm> | undefined {
  const terms = { value, unit, first };
  if (!snap) {
    const next = nextTermEnd(end, terms, timezone);
    return next && { expiresOn: next, termsFrom: first };
  }
  const last = nextTermDay(localDay(instantBefore(end), timezone), terms, timezone);
  return last && { expiresOn: startOfDay(daysLater(last, 1), timezone), termsFrom: first };
}

/** Most terms that are counted again. */
const termsMax = 1200;

/**
 * The next term of a level without `termsFrom`, if its terms began when the level did: if terms that each count from the
 * end before lead from there to its end. Undefined: they do not.
 */
function recountedTerm(
  { since, expiresOn: end }: EndedLevel,
  expiry: DayKeepingTerm,
  input: LadderInput,
): EndOfTerm | undefined {
  const next = (term: EndOfTerm) => keptTerm({ ...term, termsFrom: since }, expiry, input);
  let kept: EndOfTerm | undefined = firstTerm(since, expiry, input);
  let { expiresOn: counted } = kept;
  for (let terms = 1; counted < end && terms < termsMax; terms += 1) {
    counted = termAfter(counted, expiry, input);
    kept = kept && next(kept);
  }
  return kept && counted.getTime() === end.getTime() ? next(kept) : undefined;
}
