import { type Ladder, type LadderStep, periodsMax, type TierLevelRef } from '#records/members/memberTier';
import type { TierPolicy } from '#records/programs/tierPolicy';
import { keyAt, type LadderInput, levelAt } from './levels';

/** A period that reached a level: a date in it, and the highest level that it reached. */
export type ReachedPeriod = NonNullable<Ladder['reached']>[number];

/** Tells whether a policy gives the levels that the period of an activity reaches, whenever the activity comes. */
export function followsPeriods({ lateClaims, basis }: Pick<TierPolicy, 'lateClaims' | 'basis'>): boolean {
  return lateClaims === 'counted' && basis !== undefined && basis.period !== 'lifetime';
}

/** A date in each period in which the metric reached a level. */
export function reachedOn({ since, reachedBy = since, reachedAgain = reachedBy }: LadderStep): Date[] {
  return [reachedBy, reachedAgain];
}

/** The periods that reached a level. For a ladder that does not store them yet, they follow from its steps. */
export function reachedPeriods({ reached, steps }: Ladder): readonly ReachedPeriod[] {
  const own = steps.filter(({ isFirm }) => !isFirm);
  return reached ?? own.flatMap((step) => reachedOn(step).map((at) => ({ level: step.level, at })));
}

/** Notes that the period of a date reached a level. Levels that every member has are not noted. */
export function withPeriod(ladder: Ladder, level: TierLevelRef, at: Date, input: LadderInput): Ladder {
  if (!followsPeriods(input.policy)) return withoutPeriods(ladder);
  if (!isEarned(level, input)) return ladder;
  const key = keyAt(at, input);
  const isSame = (period: ReachedPeriod) => keyAt(period.at, input) === key;
  if (ladder.reached?.some((period) => isSame(period) && period.level.number >= level.number)) return ladder;
  const others = reachedPeriods(ladder).filter((period) => !isSame(period));
  return { ...ladder, reached: keptPeriods([...others, { level, at }]) };
}

/** Tells whether a member needs something of the metric to have the level. */
export function isEarned({ number }: TierLevelRef, input: LadderInput): boolean {
  return number > (levelAt(input, 0)?.number ?? -1);
}

/** A ladder that notes no periods. */
export function withoutPeriods(ladder: Ladder): Ladder {
  const { reached, ...left } = ladder;
  return reached ? left : ladder;
}

/** The periods that a ladder stores at most: those of the highest levels, and of these the latest. */
export function keptPeriods(periods: readonly ReachedPeriod[]): ReachedPeriod[] {
  if (periods.length <= periodsMax) return [...periods];
  const sorted = [...periods].sort((a, b) => b.level.number - a.level.number || b.at.getTime() - a.at.getTime());
  return sorted.slice(0, periodsMax);
}
