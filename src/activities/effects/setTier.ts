import { inputOf } from '../../memberState/settleState';
import type { ActingRule, LevelChange, Refusal } from '../../rules/actions/actionTarget';
import { emptyLadder, setLevel } from '../../tiers/ladder/ladder';
import { ladderOf, withLadder } from '../../tiers/ladder/memberTiers';
import type { ActivityChanges } from '../state/activityChanges';

/** Sets the member's level under a tier policy, up or down. No cancellation undoes it. */
export function setTier(
  changes: ActivityChanges,
  { type, policy: name, level: levelName }: LevelChange,
  rule: ActingRule,
): Refusal {
  const { state, activityId } = changes.input;
  const policy = state.tierPolicies.find((each) => each.name === name);
  const level = policy?.levels.find((each) => each.name === levelName);
  if (!policy || !level) {
    const gone = policy ? `the level ${levelName} of ${name}` : `the tier policy ${name}`;
    return { code: 2900, message: `Rule ${rule.key} names ${gone}, which the program has no more`, status: 422 };
  }
  const ladder = ladderOf(changes.tiers, policy._id) ?? emptyLadder({ policy });
  const set = setLevel(ladder, { name: level.name, number: level.number }, inputOf(state, policy));
  changes.tiers = withLadder(changes.tiers, set, { policy, why: 'set', activity: activityId, rule: rule._id });
  changes.log.record(type, rule, { policy: name, level: levelName });
  return undefined;
}
