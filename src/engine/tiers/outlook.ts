import { localDay } from '#base/calendar/localCalendar';
import { nextPeriodStart, periodStart } from '#base/calendar/periods';
import { startOfDay } from '#base/calendar/windows';
import { addDecimals } from '#base/common/addDecimals';
import type { Ladder, LadderStep, TierLevelRef } from '#records/members/memberTier';
import { bestClaim, type Claim, topStep } from './claims';
import { climb } from './ladder';
import { keyAt, type LadderInput, levelThreshold, rising, type ValueAt } from './levels';
import { firstEnd, graceEnd, openPeriodEnds } from './tierTerms';

/** What a member has to add to a metric for a level. */
export interface Need {
  level: TierLevelRef;
  metric: string;
  /** The value from which on the member has the level. */
  atLeast: number;
  /** The value that counts for it so far. */
  value: number;
  /** `atLeast` less `value`; 0 when it is enough. */
  missing: number;
  /** What the member adds from this instant on counts. */
  from: Date;
  /** The instant before which it must be added; absent: at any time. */
  by?: Date;
}

/** Whether a level lasts: for good; it will be renewed; it depends on `keep`; or nothing keeps it beyond its end. */
export const outlooks = ['lasts', 'renewed', 'needs', 'ends'] as const;

/** What becomes of the level that a member has. */
export interface LevelOutlook {
  outlook: (typeof outlooks)[number];
  /** When its grace ends; absent: it has no grace. */
  graceUntil?: Date;
  /** What keeps it, when something can. */
  keep?: Need;
}

/** A date in each period whose sum {@link levelOutlook} and {@link nextLevel} need, none after now. */
export function outlookDates(ladder: Ladder | undefined, input: LadderInput): Date[] {
  const deciding = ladder ? decidingDates(ladder, input) : [];
  return [input.now, ...deciding.filter((date) => date < input.now)];
}

/** What becomes of the level that a member has under a policy; undefined when it has none. */
export function levelOutlook(ladder: Ladder, values: ValueAt, input: LadderInput): LevelOutlook | undefined {
  const claim = bestClaim(ladder);
  if (!claim) return undefined;
  if (!claim.expiresOn) return { outlook: 'lasts' };
  if (claim.keep) {
    // Who meets it keeps the later of this end and the term. Where the term is not later, it lengthens nothing now.
    const { expiresOn: term } = firstEnd(input.now, input);
    if (term && term <= claim.expiresOn) return { outlook: 'ends' };
    return { outlook: 'needs', keep: challengeToKeep(claim, claim.keep, claim.expiresOn, input) };
  }
  const top = topStep(ladder);
  // The end of a level for a time depends on nothing.
  if (claim !== top) return { outlook: 'ends' };
  return { ...renewal(top, values, input, decidingDates(ladder, input)), ...graceFields(claim.expiresOn, input) };
}

function graceFields(expiresOn: Date, input: LadderInput): Pick<LevelOutlook, 'graceUntil'> {
  return input.policy.grace ? { graceUntil: graceEnd(expiresOn, input) } : {};
}

function challengeToKeep(
  { level }: Claim,
  { metric, atLeast, counted }: NonNullable<Claim['keep']>,
  by: Date,
  { now }: LadderInput,
): Need {
  return {
    level,
    metric,
    atLeast,
    value: counted,
    missing: Math.max(0, addDecimals(atLeast, -counted)),
    from: now,
    by,
  };
}

function renewal(top: LadderStep, values: ValueAt, input: LadderInput, dates: readonly Date[]): LevelOutlook {
  if (input.policy.downgrade === 'none') return { outlook: 'renewed' };
  const { basis } = input.policy;
  const atLeast = levelThreshold(top.level, input);
  if (!basis || atLeast === undefined) return { outlook: 'ends' };
  const latest = judgedOn(top, input);
  const ways = dates.flatMap((date): Need[] => {
    const { start, end } = periodAt(date, input);
    const value = start !== undefined && start > input.now ? 0 : values(date);
    const missing = Math.max(0, addDecimals(atLeast, -value));
    const from = start !== undefined && start > input.now ? start : input.now;
    const by = end !== undefined && end < latest ? end : latest;
    return missing === 0 || from < by
      ? [{ level: top.level, metric: basis.metric, atLeast, value, missing, from, by }]
      : [];
  });
  const [best] = ways.sort((a, b) => a.missing - b.missing || Number(b.by) - Number(a.by));
  if (!best) return { outlook: 'ends' };
  return best.missing === 0 ? { outlook: 'renewed' } : { outlook: 'needs', keep: best };
}

/** When it is decided whether a level stays: at its end, or at the end of the grace in which it is. */
function judgedOn({ expiresOn = new Date(0) }: LadderStep, input: LadderInput): Date {
  return expiresOn > input.now ? expiresOn : graceEnd(expiresOn, input);
}

/** A date in each period that decides whether the level stays. */
function decidingDates(ladder: Ladder, input: LadderInput): Date[] {
  const top = topStep(ladder);
  if (!top?.expiresOn || !input.policy.basis) return [];
  const judged = judgedOn(top, input);
  const ends = [judged, ...openPeriodEnds({ ...input, now: judged })];
  // In the grace every commit decides.
  return top.expiresOn > input.now ? ends : [...ends, input.now, ...openPeriodEnds(input)];
}

/** The period of the basis that contains a date; a lifetime has no start and no end. */
function periodAt(date: Date, { policy: { basis }, timezone }: LadderInput): { start?: Date; end?: Date } {
  if (!basis || basis.period === 'lifetime') return {};
  const day = localDay(date, timezone);
  return {
    start: startOfDay(periodStart(basis.period, day), timezone),
    end: startOfDay(nextPeriodStart(basis.period, day), timezone),
  };
}

/** What brings a member to the next level above the present one; undefined when nothing does. */
export function nextLevel(ladder: Ladder, values: ValueAt, input: LadderInput): Need | undefined {
  const { basis } = input.policy;
  if (!basis) return undefined;
  const currentNumber = bestClaim(ladder)?.level.number ?? -1;
  const value = values(input.now);
  const { end } = periodAt(input.now, input);
  for (const level of rising(input).filter(({ number }) => number > currentNumber)) {
    const atLeast = levelThreshold(level, input) ?? Number.POSITIVE_INFINITY;
    // A level that a rule set holds the member below levels that it had reached before.
    const reached = atLeast > value ? topStep(climb(ladder, atLeast, input)) : undefined;
    if (reached && reached.level.number >= level.number) {
      const missing = addDecimals(atLeast, -value);
      return { level, metric: basis.metric, atLeast, value, missing, from: input.now, ...(end ? { by: end } : {}) };
    }
  }
  return undefined;
}

/** Makes the values of a policy's metric from sums by period, 0 where there is none. */
export function sumLookup(sums: ReadonlyMap<string, number>, input: LadderInput): ValueAt {
  return (date) => sums.get(keyAt(date, input)) ?? 0;
}
