import type { Ladder, LadderStep, TierLevelRef } from '#records/members/memberTier';
import { finished, topStep } from './claims';
import { isSetByRule } from './ladder';
import { type LadderInput, levelAt, lowerLevel, type ValueAt } from './levels';
import { nextEnd } from './nextTerms';
import { followsPeriods } from './reachedPeriods';
import { firstEnd, firstTerm, graceEnd, keepsDay, type LevelEnd, notPast, openPeriodEnds } from './tierTerms';

/**
 * Handles levels whose end has passed. A level that a rule gave for a time ends. The other levels are renewed for
 * another term when the metric still reaches them, or when the policy never downgrades. Otherwise a level stays until
 * its grace ends. Then it goes down by one level, or to the level that the metric reaches, and never below that level.
 */
export function lapse(before: Ladder, valueAt: ValueAt, input: LadderInput): Ladder {
  const ladder = withoutEnded(before, input);
  const top = topStep(ladder);
  if (!top?.expiresOn || top.expiresOn > input.now) return finished(ladder, input);
  const end = top.expiresOn;
  const reaching = [input.now, ...openPeriodEnds(input)].map(
    (date): Reaching => ({ date, level: levelAt(input, valueAt(date)) }),
  );
  const renewing = reaching.filter(({ level }) => level && level.number >= top.level.number);
  if (input.policy.downgrade === 'none' || renewing.length > 0) {
    const { level, since } = top;
    const ends = renewedEnd({ ...top, expiresOn: end }, renewing, input);
    return finished(withStep(ladder, { level, since, isSet: isSetByRule(top), ...ends }, input), input);
  }
  if (graceEnd(end, input) > input.now) return finished(ladder, input);
  const left = landed({ ...top, expiresOn: end }, reaching, input);
  return finished(left ? withStep(ladder, left, input) : { ...ladder, steps: [] }, input);
}

/**
 * Replaces the steps by the one that is left. A firm step is one that no cancellation revokes. Where late activities do not
 * count, the step that is left is firm. Where they count, it is firm only if a firm step was at its level or above it, and
 * lower firm steps stay too.
 */
function withStep(ladder: Ladder, step: Omit<LadderStep, 'isFirm'>, { policy }: LadderInput): Ladder {
  if (!followsPeriods(policy)) return { ...ladder, steps: [{ ...step, isFirm: true }] };
  const firm = ladder.steps.filter(({ isFirm }) => isFirm);
  const isFirm = firm.some(({ level }) => level.number >= step.level.number);
  const below = firm.filter(({ level }) => level.number < step.level.number);
  return { ...ladder, steps: [...below, { ...step, isFirm }] };
}

/** A date whose period decides, and the level that this period reaches. */
interface Reaching {
  date: Date;
  level: TierLevelRef | undefined;
}

/** A level whose term has ended. */
type EndedStep = LadderStep & { expiresOn: Date };

/** What is left after the grace of a level that ended: the next lower level, or the one that a period reaches. */
function landed(
  lost: EndedStep,
  reaching: readonly Reaching[],
  input: LadderInput,
): Omit<LadderStep, 'isFirm'> | undefined {
  const graced = graceEnd(lost.expiresOn, input);
  const best = reaching
    .map(({ level }) => level)
    .reduce((a, b) => (b && b.number > (a?.number ?? -1) ? b : a), undefined);
  const level = lowerLevel(lost.level, best, input);
  if (!level) return undefined;
  const lasting = reaching.filter((each) => each.level && each.level.number >= level.number);
  const { snap } = input.policy.expiry ?? {};
  // A term without a snap begins when the level does.
  const landing = snap ? nextEnd(lost, input) : firstEnd(graced, input);
  const reached = snap && lasting.length > 0 ? renewedEnd(lost, lasting, input) : {};
  const ends = laterOfPresent(reached, input.policy.downgrade === 'one' || !reached.expiresOn ? landing : {});
  return { level, since: graced, isSet: false, ...ends };
}

function laterOfPresent(a: LevelEnd, b: LevelEnd): LevelEnd {
  if (!a.expiresOn || !b.expiresOn) return a.expiresOn ? a : b;
  return a.expiresOn > b.expiresOn ? a : b;
}

/**
 * The end of the term after one that ended. A term that ends with a period lasts as long as the term of each period that
 * reaches its level. Without such a period, and where terms keep their day, it follows the old term.
 */
function renewedEnd(ended: EndedStep, reaching: readonly { date: Date }[], input: LadderInput): LevelEnd {
  const { expiry } = input.policy;
  if (!expiry) return {};
  const next = keepsDay(expiry) || reaching.length === 0 ? nextEnd(ended, input) : {};
  if (!expiry.snap) return next;
  const extendingPeriods = keepsDay(expiry) ? reaching.filter(({ date }) => date < input.now) : reaching;
  return extendingPeriods
    .map(({ date }) => notPast(firstTerm(date, expiry, input), expiry, input))
    .reduce(laterOfPresent, next);
}

function withoutEnded(ladder: Ladder, { now }: LadderInput): Ladder {
  const { grants, ...left } = ladder;
  if (!grants?.some(({ expiresOn }) => expiresOn <= now)) return ladder;
  const open = grants.filter(({ expiresOn }) => expiresOn > now);
  return open.length > 0 ? { ...left, grants: open } : left;
}
