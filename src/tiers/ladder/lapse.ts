import type { Ladder, LadderStep, TierLevelRef } from '../../records/members/memberTier';
import { finished, topOf } from './claims';
import { isSetByRule } from './ladder';
import { type LadderInput, levelAt, lowerLevel, type ValueAt } from './levels';
import { followsPeriods } from './reachedPeriods';
import { graceEnd, nextEnd, notPast, openMoments, termEnd } from './tierTerms';

/**
 * Handles levels whose end has passed. A level that a rule gave for a time is gone. The other levels are renewed for
 * another term when the metric still reaches them, or when the policy never downgrades. Otherwise a level stays until
 * its grace ends. Then it goes down by one level, or to the level that the metric reaches, and never below that level.
 */
export function lapse(before: Ladder, valueAt: ValueAt, input: LadderInput): Ladder {
  const ladder = withoutEnded(before, input);
  const top = topOf(ladder);
  if (!top?.expiresOn || top.expiresOn > input.now) return finished(ladder, input);
  const end = top.expiresOn;
  const reaching = [input.now, ...openMoments(input)].map(
    (date): Reaching => ({ date, level: levelAt(input, valueAt(date)) }),
  );
  const renewing = reaching.filter(({ level }) => level && level.number >= top.level.number);
  if (input.policy.downgrade === 'none' || renewing.length > 0) {
    const { level, since } = top;
    const ends = termFrom(end, renewing, input);
    return finished(withStep(ladder, { level, since, isSet: isSetByRule(top), ...ends }, input), input);
  }
  if (graceEnd(end, input) > input.now) return finished(ladder, input);
  const left = landed(top.level, end, reaching, input);
  return finished(left ? withStep(ladder, left, input) : { ...ladder, steps: [] }, input);
}

/**
 * Replaces the steps by the one that is left. No cancellation revokes it; but where late activities count, only when
 * none could revoke a step that was at its level or above it. Then lower such steps stay too.
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

/** What is left after the grace of a level that ended at `end`: the next lower level, or the one that a period reaches. */
function landed(
  lost: TierLevelRef,
  end: Date,
  reaching: readonly Reaching[],
  input: LadderInput,
): Omit<LadderStep, 'isFirm'> | undefined {
  const graced = graceEnd(end, input);
  const best = reaching
    .map(({ level }) => level)
    .reduce((a, b) => (b && b.number > (a?.number ?? -1) ? b : a), undefined);
  const level = lowerLevel(lost, best, input);
  if (!level) return undefined;
  const lasting = reaching.filter((each) => each.level && each.level.number >= level.number);
  const { snap } = input.policy.expiry ?? {};
  // A term without a snap begins when the level does.
  const landing = nextEnd(snap ? end : graced, input);
  const reached = snap && lasting.length > 0 ? termFrom(end, lasting, input) : {};
  const ends = later(reached, input.policy.downgrade === 'one' || !reached.expiresOn ? landing : {});
  return { level, since: graced, isSet: false, ...ends };
}

type End = Pick<LadderStep, 'expiresOn'>;

function later(a: End, b: End): End {
  if (!a.expiresOn || !b.expiresOn) return a.expiresOn ? a : b;
  return a.expiresOn > b.expiresOn ? a : b;
}

/**
 * The end of the term after one that ended. A snapped term lasts as long as the term of each period that reaches its
 * level; without such a period, and without a snap, it follows the old term.
 */
function termFrom(end: Date, reaching: readonly { date: Date }[], input: LadderInput): { expiresOn?: Date } {
  const { expiry } = input.policy;
  if (!expiry?.snap || reaching.length === 0) return nextEnd(end, input);
  const ends = reaching.map(({ date }) => termEnd(date, expiry, input).getTime());
  return notPast(new Date(Math.max(...ends)), expiry, input);
}

function withoutEnded(ladder: Ladder, { now }: LadderInput): Ladder {
  const { grants, ...left } = ladder;
  if (!grants?.some(({ expiresOn }) => expiresOn <= now)) return ladder;
  const open = grants.filter(({ expiresOn }) => expiresOn > now);
  return open.length > 0 ? { ...left, grants: open } : left;
}
