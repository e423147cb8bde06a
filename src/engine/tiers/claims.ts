import { addTerm } from '#base/calendar/localCalendar';
import type { Grant, Ladder, LadderStep, MemberTier, TierLevelRef } from '#records/members/memberTier';
import type { TierPolicy } from '#records/programs/tierPolicy';
import type { LadderInput } from './levels';
import { graceEnd } from './tierTerms';

/** A level that the member has by its metric or a rule, for a time, or for good. */
export interface Claim extends Pick<MemberTier, 'level' | 'since' | 'expiresOn'> {
  keep?: Grant['keep'];
}

/** The highest step of a ladder: the level that the metric or a rule without a time gives the member. */
export function topStep({ steps }: Pick<Ladder, 'steps'>): LadderStep | undefined {
  return steps.at(-1);
}

/** The level that the member has: the best of all its claims. */
export function bestClaim(ladder: Pick<Ladder, 'steps' | 'grants' | 'lifetime'>): Claim | undefined {
  const { grants, lifetime } = ladder;
  const top = topStep(ladder);
  if (!grants && !lifetime) return top;
  const claims: Claim[] = [...(top ? [top] : []), ...(grants ?? []), ...(lifetime ? [lifetime] : [])];
  return claims.reduce<Claim | undefined>((best, claim) => (isBetter(claim, best) ? claim : best), undefined);
}

/** Tells whether a claim is better than another: the higher level, then the one that lasts longer. */
export function isBetter(claim: Claim, other: Claim | undefined): boolean {
  const [number, than] = [claim.level.number, other?.level.number ?? -1];
  return number > than || (number === than && lastsUntil(claim) > lastsUntil(other));
}

function lastsUntil(claim: Claim | undefined): number {
  return claim?.expiresOn?.getTime() ?? Number.POSITIVE_INFINITY;
}

/** Since when the member has had a level: since its present claim to it began, or now. */
export function reachedSince(ladder: Ladder, { number }: Pick<TierLevelRef, 'number'>, now: Date): Date {
  const claim = bestClaim(ladder);
  return claim?.level.number === number ? claim.since : now;
}

/** Completes a ladder after a move: its lifetime level, and when it must be checked again. */
export function finished({ due: _due, ...ladder }: Ladder, input: LadderInput): Ladder {
  const whole = input.policy.levels.some(({ lifetime }) => lifetime) ? withLifetime(ladder, input) : ladder;
  const due = earliest([...stepDue(whole, input), ...(whole.grants ?? []).map(({ expiresOn }) => expiresOn)]);
  const next = earliest([...(due ? [due] : []), ...yearsDue(whole, input)]);
  return next ? { ...whole, due: next } : whole;
}

function stepDue(ladder: Ladder, input: LadderInput): Date[] {
  const expiresOn = topStep(ladder)?.expiresOn;
  if (!expiresOn) return [];
  return [expiresOn > input.now ? expiresOn : graceEnd(expiresOn, input)];
}

function earliest(dates: readonly Date[]): Date | undefined {
  return dates.reduce<Date | undefined>((first, date) => (first && first <= date ? first : date), undefined);
}

/** Notes since when the member has its levels, and makes the highest one permanent that qualifies. */
function withLifetime({ held: before = [], ...ladder }: Ladder, input: LadderInput): Ladder {
  const present = bestClaim(ladder);
  const reachedLevels = input.policy.levels.flatMap(({ number, lifetime }) => {
    if (!lifetime?.years || !present || present.level.number < number) return [];
    const known = before.find((each) => each.number === number)?.since ?? firstSince(ladder, number, present);
    return [{ number, since: known }];
  });
  const noted = reachedLevels.length > 0 ? { ...ladder, held: reachedLevels } : ladder;
  const own = input.policy.levels
    .map((level) => ({ level, by: reachedBy(level, reachedLevels, input) }))
    .filter(({ level, by }) => by && level.number >= (ladder.lifetime?.level.number ?? 0))
    .reduce<Reached | undefined>(
      (best, each) => (best && best.level.number > each.level.number ? best : each),
      undefined,
    );
  if (!own) return noted;
  const { name, number } = own.level;
  const since = reachedSince(ladder, own.level, input.now);
  const isForYears = ladder.lifetime?.isBySum === false && ladder.lifetime.level.number === number;
  const isBySum = own.by === 'sum' && !isForYears;
  return { ...noted, lifetime: { level: { name, number }, since, isBySum } };
}

interface Reached {
  level: TierPolicy['levels'][number];
  by: 'years' | 'sum' | undefined;
}

function reachedBy(
  { number, lifetime }: Reached['level'],
  reachedLevels: NonNullable<Ladder['held']>,
  input: LadderInput,
): Reached['by'] {
  const since = reachedLevels.find((each) => each.number === number)?.since;
  if (lifetime?.years && since && addTerm(since, lifetime.years, 'year', input.timezone) <= input.now) return 'years';
  const { metric, atLeast } = lifetime ?? {};
  if (metric === undefined || atLeast === undefined) return undefined;
  return (input.lifetimeValue?.(metric) ?? 0) >= atLeast ? 'sum' : undefined;
}

/** Since when a member that is at a level or above it has been there, as far as its claims tell. */
function firstSince({ steps, grants = [] }: Ladder, number: number, present: Claim): Date {
  const dates = [...steps, ...grants].filter(({ level }) => level.number >= number).map(({ since }) => since);
  return earliest([present.since, ...dates]) ?? present.since;
}

/** When levels become lifetime levels by years. */
function yearsDue({ held: reachedLevels = [], lifetime }: Ladder, { policy, timezone }: LadderInput): Date[] {
  return reachedLevels.flatMap(({ number, since }) => {
    const years = policy.levels.find((level) => level.number === number)?.lifetime?.years;
    if (!years || (lifetime && !lifetime.isBySum && lifetime.level.number >= number)) return [];
    return [addTerm(since, years, 'year', timezone)];
  });
}
