import { localDay } from '#base/calendar/localCalendar';
import { periodKey } from '#base/calendar/periods';
import type { TierLevelRef } from '#records/members/memberTier';
import type { TierPolicy } from '#records/programs/tierPolicy';

/** The data that every move on a ladder depends on. */
export interface LadderInput {
  policy: Pick<TierPolicy, '_id' | 'levels' | 'basis' | 'downgrade' | 'expiry' | 'grace' | 'lateClaims'>;
  /** IANA time zone of the program. */
  timezone: string;
  now: Date;
  /** When the member enrolled; absent: years of membership begin now. */
  enrolledAt?: Date;
  /** The present lifetime sum of a metric of the member; absent: 0. */
  lifetimeValue?: (metric: string) => number;
}

/** The value of the policy's metric in the period of a date. */
export type ValueAt = (date: Date) => number;

/** The highest level whose threshold a value meets. */
export function levelAt({ policy }: Pick<LadderInput, 'policy'>, value: number): TierLevelRef | undefined {
  return policy.levels
    .filter(({ threshold }) => threshold <= value)
    .reduce<TierLevelRef | undefined>((best, { name, number }) => {
      return best && best.number > number ? best : { name, number };
    }, undefined);
}

/** The levels of the policy, lowest first. */
export function rising({ policy }: Pick<LadderInput, 'policy'>): TierLevelRef[] {
  return [...policy.levels].sort((a, b) => a.number - b.number).map(({ name, number }) => ({ name, number }));
}

/** The value from which on a level is reached; undefined when the policy has no such level any more. */
export function levelThreshold({ number }: Pick<TierLevelRef, 'number'>, { policy }: LadderInput): number | undefined {
  return policy.levels.find((level) => level.number === number)?.threshold;
}

/** Returns the next lower level, or none. The result is at least the level that the metric reaches. */
export function lowerLevel(
  current: TierLevelRef,
  reached: TierLevelRef | undefined,
  input: LadderInput,
): TierLevelRef | undefined {
  if (input.policy.downgrade === 'full') return reached;
  const below = rising(input).findLast(({ number }) => number < current.number);
  return reached && (!below || reached.number > below.number) ? reached : below;
}

/** Returns the key of the period that a date lies in, of the period kind in the policy's basis. */
export function keyAt(
  date: Date,
  { policy, timezone }: { policy: Pick<TierPolicy, 'basis'>; timezone: string },
): string {
  return policy.basis ? periodKey(policy.basis.period, localDay(date, timezone)) : '';
}
