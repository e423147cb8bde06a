import type { Ladder, LadderStep, TierLevelRef } from '#records/members/memberTier';
import { finished, reachedSince, topStep } from './claims';
import { keyAt, type LadderInput, levelAt, levelThreshold, rising, type ValueAt } from './levels';
import { reachedOn, withoutPeriods, withPeriod } from './reachedPeriods';
import { firstEnd, type LevelEnd, laterEnd } from './tierTerms';

/** The ladder of a member that has no level. */
export function emptyLadder({ policy }: Pick<LadderInput, 'policy'>): Ladder {
  return { policyId: policy._id, steps: [] };
}

/**
 * Adds a step for every level that is above the current one and whose threshold the value meets. When a rule set the
 * current level, the metric must reach a level higher than it reached before in this period.
 */
export function climb(ladder: Ladder, value: number, input: LadderInput): Ladder {
  const reached = levelAt(input, value);
  const top = topStep(ladder);
  const isKeptByRule = top !== undefined && isSetByRule(top) && ladder.seen?.key === keyAt(input.now, input);
  const seenBefore = isKeptByRule ? (ladder.seen?.number ?? -1) : -1;
  const looked = withSeen({ ...ladder, steps: ladder.steps.map(reachedNow(value, input)) }, reached, input);
  if (!reached || reached.number <= seenBefore) return finished(looked, input);
  const noted = withPeriod(looked, reached, input.now, input);
  return finished(raise(noted, reached, input, firstEnd(input.now, input)), input);
}

/** Adds a step for every level above the current one, up to a level. Nothing changes when it is not above. */
export function raise(
  ladder: Ladder,
  to: TierLevelRef,
  input: LadderInput,
  more: Pick<LadderStep, 'expiresOn' | 'termsFrom' | 'reachedBy'>,
): Ladder {
  const from = topStep(ladder)?.level.number ?? -1;
  const passed = rising(input).filter(({ number }) => number > from && number <= to.number);
  const reached = withKeptReached(ladder, to, more);
  if (passed.length === 0) return reached;
  const steps = passed.map((level): LadderStep => {
    const since = reachedSince(ladder, level, input.now);
    // A level that the member had for a time keeps its date. Then the period that reached it is noted.
    return { level, since, isFirm: false, ...(since < input.now ? { reachedBy: input.now } : {}), ...more };
  });
  return { ...reached, steps: [...reached.steps, ...steps] };
}

/**
 * Gives levels that a challenge kept the end that the metric gives them, when it is later: who missed the challenge has
 * them by the metric until then.
 * @returns the same ladder when there is no such level up to `to`
 */
export function withKeptReached(ladder: Ladder, to: TierLevelRef, ends: LevelEnd): Ladder {
  const isReached = ({ isKept, level }: LadderStep) => isKept === true && level.number <= to.number;
  if (!ladder.steps.some(isReached)) return ladder;
  const steps = ladder.steps.map((step): LadderStep => {
    if (!isReached(step)) return step;
    const { expiresOn: _expiresOn, termsFrom: _termsFrom, ...reached } = step;
    return { ...reached, isKept: false, ...laterEnd(step, ends) };
  });
  return { ...ladder, steps };
}

/** Notes of levels that a challenge kept that a cancellation took from them what the metric had reached. */
export function withKeptUnreached(steps: readonly LadderStep[], isReached: (step: LadderStep) => boolean) {
  return steps.map((step) => (step.isKept === false && !isReached(step) ? { ...step, isKept: true } : step));
}

/** Tells whether a rule set the level. Then levels that the metric reached before do not raise it. */
export function isSetByRule({ isSet, isFirm }: Pick<LadderStep, 'isSet' | 'isFirm'>): boolean {
  return isSet ?? isFirm;
}

/**
 * Notes in a step that the metric reaches its level in a later period too. Then the level stays even when a
 * cancellation lowers the value of the first period.
 */
function reachedNow(value: number, input: LadderInput) {
  return (step: LadderStep): LadderStep => {
    const isReached = !step.isFirm && value >= (levelThreshold(step.level, input) ?? Number.POSITIVE_INFINITY);
    const isNoted = reachedOn(step)
      .slice(-1)
      .some((date) => keyAt(date, input) === keyAt(input.now, input));
    return isReached && !isNoted ? { ...step, reachedAgain: input.now } : step;
  };
}

/** Sets the level of the member without regard to its metric. No cancellation revokes this level. */
export function setLevel(ladder: Ladder, level: TierLevelRef, input: LadderInput): Ladder {
  const { grants: _grants, ...left } = withoutPeriods(ladder);
  const since = reachedSince(ladder, level, input.now);
  const step = { level, since, isFirm: true, isSet: true, ...firstEnd(input.now, input) };
  return finished({ ...left, steps: [step] }, input);
}

/**
 * Revokes the levels that the metric no longer reaches after a cancellation. Only levels that the metric alone reached
 * can be revoked. Three periods count: the current one, the one in which the level was reached, and the last one in
 * which it was reached again. The level stays when the metric meets its threshold in one of them.
 */
export function revokeLevels(ladder: Ladder, valueAt: ValueAt, input: LadderInput): Ladder {
  const isReached = (step: LadderStep) => {
    const threshold = levelThreshold(step.level, input);
    return threshold === undefined || [input.now, ...reachedOn(step)].some((date) => valueAt(date) >= threshold);
  };
  const isEarned = (step: LadderStep) => step.isFirm || isReached(step);
  const summed = withoutSum(ladder);
  const isTaken = summed.steps.some((step) => step.isKept === false && !isReached(step));
  const checked = isTaken ? { ...summed, steps: withKeptUnreached(summed.steps, isReached) } : summed;
  const kept = checked.steps.findLastIndex(isEarned) + 1;
  if (kept === checked.steps.length) return checked === ladder ? ladder : finished(checked, input);
  return finished(unseen({ ...checked, steps: checked.steps.slice(0, kept) }, valueAt, input), input);
}

/** The level noted in `seen` may have been reached by a returned activity: then what is reached now counts. */
export function unseen({ seen: _seen, ...ladder }: Ladder, valueAt: ValueAt, input: LadderInput): Ladder {
  return withSeen(ladder, levelAt(input, valueAt(input.now)), input);
}

/** Without a lifetime level that only a sum gave: {@link finished} gives it again if the sum still does. */
export function withoutSum(ladder: Ladder): Ladder {
  if (!ladder.lifetime?.isBySum) return ladder;
  const { lifetime: _lifetime, ...left } = ladder;
  return left;
}

function withSeen({ seen, ...ladder }: Ladder, reached: TierLevelRef | undefined, input: LadderInput): Ladder {
  if (!reached) return ladder;
  const key = keyAt(input.now, input);
  const isSame = seen?.number === reached.number && seen.key === key;
  return { ...ladder, seen: isSame ? seen : { number: reached.number, key } };
}
