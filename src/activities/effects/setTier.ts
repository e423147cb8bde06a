import type { ActivityChanges } from '#activities/state/activityChanges';
import { sumMetric } from '#activities/state/sumMetric';
import { textOfDay } from '#base/calendar/windows';
import { message } from '#base/common/messages/message';
import type { ActingRule, LevelChange, Refusal } from '#engine/rules/actions/actionTarget';
import { grantLevel } from '#engine/tiers/grants';
import { emptyLadder, setLevel } from '#engine/tiers/ladder';
import { findLadder, withLadder } from '#engine/tiers/memberTiers';
import { timeEnd } from '#engine/tiers/tierTerms';
import { ladderInput } from '#members/memberState/settleState';
import type { TierPolicy } from '#records/programs/tierPolicy';

/** Sets the member's level under a tier policy, up or down, or gives it for a time. No cancellation undoes it. */
export function setTier(changes: ActivityChanges, change: LevelChange, rule: ActingRule): Refusal {
  const { state, activity } = changes.input;
  const { type, policy: name, level: levelName } = change;
  const policy = state.tierPolicies.find((each) => each.name === name);
  const level = policy?.levels.find((each) => each.name === levelName);
  if (!policy || !level) {
    const gone = policy
      ? message('activities.levelGone', { rule: rule.key, level: levelName, policy: name })
      : message('activities.tierPolicyGone', { rule: rule.key, policy: name });
    return { code: 2900, ...gone, status: 422 };
  }
  const input = ladderInput(state, policy);
  const ladder = findLadder(changes.tiers, policy._id) ?? emptyLadder({ policy });
  const to = { name: level.name, number: level.number };
  const expiresOn = timeEnd(change, activity.date, input);
  const { keep } = change;
  if (!expiresOn) {
    put(changes, setLevel(ladder, to, input), policy, rule);
    changes.log.record(type, rule, { policy: name, level: levelName });
    return undefined;
  }
  if (expiresOn > input.now) {
    const challenge = keep && { ...keep, counted: daySum(changes, keep.metric), from: textOfDay(changes.day()) };
    const granted = grantLevel(ladder, { level: to, expiresOn, ...(challenge && { keep: challenge }) }, input);
    if (granted !== ladder) put(changes, granted, policy, rule);
  }
  changes.log.record(type, rule, { policy: name, level: levelName, expiresOn, ...(keep && { keep }) });
  return undefined;
}

function put(
  changes: ActivityChanges,
  ladder: ReturnType<typeof setLevel>,
  policy: TierPolicy,
  rule: ActingRule,
): void {
  const { activityId } = changes.input;
  changes.tiers = withLadder(changes.tiers, ladder, { policy, why: 'set', activity: activityId, rule: rule._id });
}

/** The sum of a metric on the activity's day. The activity itself is not in it: its metrics are added later. */
function daySum(changes: ActivityChanges, metric: string): number {
  return sumMetric(changes, { metric, period: 'day' }, 'before');
}
