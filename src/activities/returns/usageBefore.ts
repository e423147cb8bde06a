import { localDay } from '#base/calendar/localCalendar';
import { addDecimals } from '#base/common/addDecimals';
import { type CounterKey, type CounterOwner, counterKeys, isStored, limitCounter } from '#engine/rules/format/limits';
import type { Rule } from '#engine/rules/format/rule';
import type { WindowUse } from '#engine/rules/format/windowUses';
import type { Activity } from '#records/activities/activity';
import type { ActivityHistory } from '#records/activities/activityHistory';

/** Used amounts of counters, and uses of limits by windows, by hexadecimal counter id. */
interface UsedBefore {
  usage: Map<string, number>;
  windows: Map<string, WindowUse[]>;
}

/**
 * The used amounts of limits and budgets before the activity, computed from its history. Each is chosen so that exactly
 * the amount that the activity was granted is left.
 */
export function usageBefore(
  rules: readonly Rule[],
  original: Pick<ActivityHistory, 'effects' | 'ruleMatch'>,
  { activity }: { activity: Activity },
  owners: readonly CounterOwner[],
): UsedBefore {
  const counters = original.effects?.counters ?? [];
  const granted = new Map(counters.map(({ id, amount }) => [id.toHexString(), amount]));
  const ofLimits = grantedOfLimits(rules, counters, activity, owners);
  const matches = new Map(original.ruleMatch.map((match) => [match.key, match]));
  const used: UsedBefore = { usage: new Map(), windows: new Map() };
  for (const rule of rules) {
    const match = matches.get(rule.key);
    const isUsedUp = match?.reason === 'limitReached' || match?.reason === 'budgetEmpty';
    if (match?.fired !== true && !isUsedUp) continue;
    // After a merge, rules use the survivor's counters, but the effects name the merged member's, in the same order.
    const [own = [], ...others] = owners.map((owner) => counterKeys(rule, activity, owner));
    for (const [index, counter] of own.entries()) {
      const ids = [counter.id, ...others.flatMap((keys) => keys[index]?.id ?? [])].map((each) => each.toHexString());
      const amounts = ids.flatMap((key) => granted.get(key) ?? []);
      const plain = isUsedUp && match.fired !== true ? 0 : amounts[0];
      const amount = counter.by ? (ofLimits.get(counter.key) ?? (isUsedUp ? 0 : undefined)) : plain;
      if (amount !== undefined) setLeft(used, counter, amount);
    }
  }
  return used;
}

function setLeft({ usage, windows }: UsedBefore, { key, max, window }: CounterKey, left: number): void {
  const amount = addDecimals(max, -left);
  if (window) windows.set(key, amount > 0 ? [{ at: window.at, amount }] : []);
  else usage.set(key, amount);
}

/** The granted amounts of the limits that the history names, by key of the counter that rules use now. */
function grantedOfLimits(
  rules: readonly Rule[],
  counters: NonNullable<ActivityHistory['effects']>['counters'],
  activity: Activity,
  [owner]: readonly CounterOwner[],
): Map<string, number> {
  const sums = new Map<string, number>();
  if (!owner) return sums;
  for (const { rule: id, limit = 0, lines = [], amount } of counters) {
    const rule = id && rules.find(({ _id }) => _id.equals(id));
    if (!rule) continue;
    const day = localDay(activity.date, owner.program.timezone);
    const counter = limitCounter(rule, limit, { activity, owner, day, line: lines[0] ?? 0 });
    if (isStored(counter)) sums.set(counter.key, addDecimals(sums.get(counter.key) ?? 0, amount));
  }
  return sums;
}
