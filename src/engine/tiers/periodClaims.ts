import type { Ladder, LadderStep } from '#records/members/memberTier';
import { finished, isBetter, topStep } from './claims';
import { emptyLadder, isSetByRule, raise, unseen, withKeptReached, withKeptUnreached, withoutSum } from './ladder';
import { lapse } from './lapse';
import { keyAt, type LadderInput, levelAt, levelThreshold, type ValueAt } from './levels';
import { followsPeriods, isEarned, type ReachedPeriod, reachedPeriods } from './reachedPeriods';
import { firstTerm, pickLevelEnd } from './tierTerms';

/**
 * What a period gives now, as if no other one had reached a level: the level with the end of its term, or what
 * renewals and downgrades have left of it. Undefined when nothing is left.
 */
export function periodClaim({ level, at }: ReachedPeriod, input: LadderInput): LadderStep | undefined {
  const { expiry } = input.policy;
  const ends = expiry ? firstTerm(at, expiry, input) : {};
  const then = raise(emptyLadder(input), level, input, { ...ends, reachedBy: at });
  const key = keyAt(at, input);
  const value = levelThreshold(level, input) ?? Number.NEGATIVE_INFINITY;
  return topStep(upToNow(then, (date) => (keyAt(date, input) === key ? value : Number.NEGATIVE_INFINITY), input));
}

/** Lets a ladder lapse as timers would have: each time at the date at which it is due. */
function upToNow(then: Ladder, valueAt: ValueAt, input: LadderInput): Ladder {
  let ladder = then;
  for (;;) {
    const expiresOn = topStep(ladder)?.expiresOn;
    if (!expiresOn || expiresOn > input.now) return ladder;
    const atEnd = lapse(ladder, valueAt, { ...input, now: expiresOn });
    const { due = expiresOn } = atEnd;
    if (due > input.now) return atEnd;
    ladder = topStep(atEnd)?.expiresOn === expiresOn ? lapse(atEnd, valueAt, { ...input, now: due }) : atEnd;
  }
}

/**
 * Adds what a period gives to what the member has. A level that the member has already, or a higher one, stays; one in
 * its grace period is extended by a claim that lasts longer.
 */
export function withClaim(ladder: Ladder, claim: LadderStep, input: LadderInput): Ladder {
  const top = topStep(ladder);
  if (top && isRenewed(top, claim, input.now)) {
    const { level, since, isFirm } = top;
    const renewed = { level, since, isFirm, isSet: isSetByRule(top), ...pickLevelEnd(claim) };
    return finished({ ...ladder, steps: [...ladder.steps.slice(0, -1), renewed] }, input);
  }
  if (top && claim.level.number <= top.level.number) {
    const reached = withKeptReached(ladder, claim.level, pickLevelEnd(claim));
    return reached === ladder ? ladder : finished(reached, input);
  }
  const { level, reachedBy } = claim;
  if (reachedBy) return finished(raise(ladder, level, input, { ...pickLevelEnd(claim), reachedBy }), input);
  return finished({ ...ladder, steps: [...ladder.steps, { ...claim, since: input.now }] }, input);
}

/** Tells whether a claim extends a level that is in its grace period. Any other level is renewed when it ends. */
function isRenewed(step: LadderStep, claim: LadderStep, now: Date): boolean {
  if (!step.expiresOn || step.expiresOn > now || step.level.number !== claim.level.number) return false;
  return claim.expiresOn === undefined || claim.expiresOn > step.expiresOn;
}

/**
 * Handles levels whose end has passed, as {@link lapse} does. Earlier periods may still give higher levels; periods
 * that give nothing any more are removed.
 */
export function lapseByPeriods(ladder: Ladder, valueAt: ValueAt, input: LadderInput): Ladder {
  const lapsed = lapse(ladder, valueAt, input);
  const end = topStep(ladder)?.expiresOn;
  if (!followsPeriods(input.policy) || !end || end > input.now) return lapsed;
  const { periods, best } = openPeriods(reachedPeriods(ladder), input);
  const left = { ...lapsed, reached: periods };
  return best ? withClaim(left, best, input) : left;
}

/** The periods that still give a level, and the best claim of them. */
function openPeriods(all: readonly ReachedPeriod[], input: LadderInput) {
  const claims = all.flatMap((period) => {
    const claim = periodClaim(period, input);
    return claim && isEarned(claim.level, input) ? [{ period, claim }] : [];
  });
  const best = claims.reduce<LadderStep | undefined>(
    (found, { claim }) => (isBetter(claim, found) ? claim : found),
    undefined,
  );
  return { periods: claims.map(({ period }) => period), best };
}

/**
 * Applies a cancellation to the periods: the member gets the best level that the periods give now, even if they had
 * renewed a level or left a lower one. Levels that a rule set, that a challenge kept, or that came from a merged member
 * stay. A cancellation raises nothing: no period gives more than it gave before.
 */
export function revokePeriods(ladder: Ladder, valueAt: ValueAt, input: LadderInput): Ladder {
  const checked = withoutSum(ladder);
  const lowered = reachedPeriods(ladder).flatMap(({ level, at }): ReachedPeriod[] => {
    const reached = levelAt(input, valueAt(at));
    return reached ? [{ level: reached.number < level.number ? reached : level, at }] : [];
  });
  const { periods, best } = openPeriods(lowered, input);
  const number = Math.max(best?.level.number ?? -1, levelAt(input, valueAt(input.now))?.number ?? -1);
  const isKept = (step: LadderStep) =>
    step.isFirm || step.level.number <= number || levelThreshold(step.level, input) === undefined;
  const steps = withKeptUnreached(checked.steps.filter(isKept), ({ level }) => level.number <= number);
  const left = { ...checked, steps: shortened(steps, best), reached: periods };
  const fresh = steps.length < checked.steps.length ? unseen(left, valueAt, input) : left;
  return finished(best ? withClaim(fresh, best, input) : fresh, input);
}

/** Ends the level of the member when the best claim to it ends. */
function shortened(steps: readonly LadderStep[], best: LadderStep | undefined): readonly LadderStep[] {
  const top = steps.at(-1);
  if (!top || !best?.expiresOn || top.isFirm || top.level.number !== best.level.number) return steps;
  if (top.expiresOn && top.expiresOn <= best.expiresOn) return steps;
  return [...steps.slice(0, -1), { ...top, ...pickLevelEnd(best) }];
}
