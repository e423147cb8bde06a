import { periodOf } from '../../years/oracle/calendar';
import { dailyMax, stormZone } from './rules';

/** What a client asked for, and what it knows of the effect. */
export interface Operation {
  /** Identifies the operation; in `ext.mark` of its activity. */
  mark: string;
  kind: 'accrual' | 'campaign' | 'redemption' | 'coupon';
  member: string;
  /** When it was done, in milliseconds: now, or long ago. */
  date: number;
  value: number;
  key: string | undefined;
  /**
   * `applied` and `refused`: answered so. `accepted`: answered with 202. `unknown`: 503, or no answer: it has one effect
   * or none.
   */
  outcome: 'applied' | 'refused' | 'accepted' | 'unknown';
  activityId?: string;
  /** Set when the client asked to cancel it. `unknown` as above. */
  cancel?: 'done' | 'unknown';
}

/** What an operation has done in the end, by what the service answers after the storm. */
export interface Effect {
  /** The number of activities in the history that have its mark. */
  activities: number;
  /** The ids of those that were processed. */
  ids: readonly string[];
  isApplied: boolean;
  isCancelled: boolean;
}

/**
 * Compares what clients were told with what there is. It knows the contract alone: what was answered is there once, what
 * was in doubt at most once, what was refused never.
 * @returns a sentence for each difference
 */
export function effectFaults(operations: readonly Operation[], effects: ReadonlyMap<string, Effect>): string[] {
  return operations.flatMap((operation) => {
    const { mark, key, outcome, cancel } = operation;
    const { activities, isApplied, isCancelled } = effects.get(mark) ?? none;
    const faults: string[] = [];
    if (activities > 1) faults.push(`${mark} (key ${key}) has ${activities} activities`);
    if (outcome === 'applied' && !isApplied) faults.push(`${mark} was answered 200 and has no effect`);
    if (outcome === 'refused' && isApplied) faults.push(`${mark} was refused and has an effect`);
    if (outcome === 'accepted' && activities === 0) faults.push(`${mark} was answered 202 and is lost`);
    if (cancel === 'done' && !isCancelled) faults.push(`${mark} was cancelled and still counts`);
    if (cancel === undefined && isCancelled) faults.push(`${mark} is cancelled, and nobody asked for it`);
    return faults;
  });
}

const none: Effect = { activities: 0, ids: [], isApplied: false, isCancelled: false };

/** How often a coupon was used, and whether it was refused because it was used up. */
export function couponUses(
  operations: readonly Operation[],
  effects: ReadonlyMap<string, Effect>,
): { uses: number; isUsedUp: boolean } {
  const own = operations.filter(({ kind }) => kind === 'coupon');
  const uses = own.filter(({ mark }) => effects.get(mark)?.isApplied).length;
  return { uses, isUsedUp: own.some(({ outcome }) => outcome === 'refused') };
}

/** What members should have by the effects of their operations. */
export interface Expected {
  /** Points of accruals less those of redemptions. */
  points: number;
  /** Activities of the campaign, each worth one point while its budget lasts. */
  campaign: number;
  /** Points for coming, of which each day has a limit. */
  daily: number;
}

/** Sums what each member should have. */
export function expectedOf(
  operations: readonly Operation[],
  effects: ReadonlyMap<string, Effect>,
): Map<string, Expected> {
  const sums = new Map<string, Expected>();
  const days = new Map<string, number>();
  for (const { mark, member, kind, value, date } of operations) {
    const sum = sums.get(member) ?? { points: 0, campaign: 0, daily: 0 };
    sums.set(member, sum);
    const { isApplied, isCancelled } = effects.get(mark) ?? none;
    if (!isApplied || isCancelled) continue;
    sum.points += kind === 'redemption' ? -value : value;
    if (kind === 'campaign') sum.campaign += 1;
    if (kind === 'redemption') continue;
    const day = `${member} ${periodOf('day', date, stormZone)}`;
    const today = (days.get(day) ?? 0) + 1;
    days.set(day, today);
    if (today <= dailyMax) sum.daily += 1;
  }
  return sums;
}
