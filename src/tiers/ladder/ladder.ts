import { addTerm, localDay } from '../../calendar/localCalendar';
import { periodKey } from '../../calendar/periods';
import type { Ladder, LadderStep, TierLevelRef } from '../../records/members/memberTier';
import type { TierPolicy } from '../../records/programs/tierPolicy';

/** The data that every move on a ladder depends on. */
export interface LadderInput {
  policy: Pick<TierPolicy, '_id' | 'levels' | 'basis' | 'downgrade' | 'expiry' | 'grace'>;
  /** IANA time zone of the program. */
  timezone: string;
  now: Date;
}

/** The ladder of a member that has no level. */
export function emptyLadder({ policy }: Pick<LadderInput, 'policy'>): Ladder {
  return { policyId: policy._id, steps: [] };
}

/** The highest step of a ladder, which is the current level of the member. */
export function topOf({ steps }: Ladder): LadderStep | undefined {
  return steps.at(-1);
}

/**
 * Adds a step for every level that is above the current one and whose threshold the value meets. When a rule set the
 * current level, the metric must reach a level higher than it reached before in this period.
 */
export function climb(ladder: Ladder, value: number, input: LadderInput): Ladder {
  const reached = levelAt(input, value);
  const top = topOf(ladder);
  const from = top?.level.number ?? -1;
  const isHeld = top !== undefined && isSetByRule(top) && ladder.seen?.key === keyAt(input.now, input);
  const seenBefore = isHeld ? (ladder.seen?.number ?? -1) : -1;
  const looked = withSeen({ ...ladder, steps: ladder.steps.map(reachedNow(value, input)) }, reached, input);
  if (!reached || reached.number <= from || reached.number <= seenBefore) return looked;
  const passed = rising(input).filter(({ number }) => number > from && number <= reached.number);
  const steps = passed.map((level) => stepTo(level, input.now, input));
  return withDue({ ...looked, steps: [...looked.steps, ...steps] }, input);
}

/** Tells whether a rule set the level. Then levels that the metric reached before do not raise it. */
export function isSetByRule({ isSet, isFirm }: LadderStep): boolean {
  return isSet ?? isFirm;
}

/**
 * Notes in a step that the metric reaches its level in a later period too. Then the level stays even when a
 * cancellation lowers the value of the first period.
 */
function reachedNow(value: number, input: LadderInput) {
  return (step: LadderStep): LadderStep => {
    const isReached = !step.isFirm && value >= (thresholdOf(step, input) ?? Number.POSITIVE_INFINITY);
    const isNoted = keyAt(step.reachedAgain ?? step.since, input) === keyAt(input.now, input);
    return isReached && !isNoted ? { ...step, reachedAgain: input.now } : step;
  };
}

function thresholdOf({ level }: LadderStep, { policy }: LadderInput): number | undefined {
  return policy.levels.find(({ number }) => number === level.number)?.threshold;
}

/** Sets the level of the member without regard to its metric. No cancellation revokes this level. */
export function setLevel(ladder: Ladder, level: TierLevelRef, input: LadderInput): Ladder {
  const top = topOf(ladder);
  const since = top?.level.number === level.number ? top.since : input.now;
  return withDue(
    { ...ladder, steps: [{ ...stepTo(level, input.now, input), since, isFirm: true, isSet: true }] },
    input,
  );
}

/**
 * Handles a level whose expiry date has passed, by the value of the metric in the current period. The level is renewed
 * for another term when the value still reaches it, or when the policy never downgrades. Otherwise the level stays
 * until its grace ends. Then it goes down by one level, or to the level that the value reaches, and never below that
 * level.
 */
export function lapse(ladder: Ladder, value: number, input: LadderInput): Ladder {
  const top = topOf(ladder);
  if (!top?.expiresOn || top.expiresOn > input.now) return withDue(ladder, input);
  const reached = levelAt(input, value);
  if (input.policy.downgrade === 'none' || (reached && reached.number >= top.level.number)) {
    const { level, since } = top;
    const renewed = { level, since, isFirm: true, isSet: isSetByRule(top), ...expiryFrom(top.expiresOn, input) };
    return withDue({ ...ladder, steps: [renewed] }, input);
  }
  const end = graceEnd(top.expiresOn, input);
  if (end > input.now) return withDue(ladder, input);
  const lower = lowerLevel(top.level, reached, input);
  const left = lower ? [{ ...stepTo(lower, end, input), isFirm: true, isSet: false }] : [];
  return withDue({ ...ladder, steps: left }, input);
}

/**
 * Revokes the levels that the metric no longer reaches after a cancellation. Only levels that the metric alone reached
 * can be revoked. Three periods count: the current one, the one in which the level was reached, and the last one in
 * which it was reached again. The level stays when the metric meets its threshold in one of them.
 * @param valueAt the value of the metric in the period of a date
 */
export function revokeLevels(ladder: Ladder, valueAt: (date: Date) => number, input: LadderInput): Ladder {
  const isEarned = (step: LadderStep) => {
    const threshold = thresholdOf(step, input);
    if (step.isFirm || threshold === undefined) return true;
    const { since, reachedAgain = since } = step;
    return [input.now, since, reachedAgain].some((date) => valueAt(date) >= threshold);
  };
  const kept = ladder.steps.findLastIndex(isEarned) + 1;
  if (kept === ladder.steps.length) return ladder;
  // The level noted in `seen` may have been reached by the returned activity, so it does not count.
  const { seen: _seen, ...unseen } = ladder;
  const left = { ...unseen, steps: ladder.steps.slice(0, kept) };
  return withDue(withSeen(left, levelAt(input, valueAt(input.now)), input), input);
}

/** The highest level whose threshold a value meets. */
export function levelAt({ policy }: LadderInput, value: number): TierLevelRef | undefined {
  return policy.levels
    .filter(({ threshold }) => threshold <= value)
    .reduce<TierLevelRef | undefined>((best, { name, number }) => {
      return best && best.number > number ? best : { name, number };
    }, undefined);
}

function rising({ policy }: LadderInput): TierLevelRef[] {
  return [...policy.levels].sort((a, b) => a.number - b.number).map(({ name, number }) => ({ name, number }));
}

/** Returns the next lower level, or none. The result is at least the level that the metric reaches. */
function lowerLevel(
  held: TierLevelRef,
  reached: TierLevelRef | undefined,
  input: LadderInput,
): TierLevelRef | undefined {
  if (input.policy.downgrade === 'full') return reached;
  const below = rising(input).findLast(({ number }) => number < held.number);
  return reached && (!below || reached.number > below.number) ? reached : below;
}

function stepTo(level: TierLevelRef, since: Date, input: LadderInput): LadderStep {
  return { level, since, isFirm: false, ...expiryFrom(since, input) };
}

/**
 * Computes the end of a term. A term that would have ended already, after a long downtime or a change of the policy,
 * begins now.
 */
function expiryFrom(from: Date, { policy: { expiry }, timezone, now }: LadderInput): { expiresOn?: Date } {
  if (!expiry) return {};
  const expiresOn = addTerm(from, expiry.value, expiry.unit, timezone);
  return { expiresOn: expiresOn > now ? expiresOn : addTerm(now, expiry.value, expiry.unit, timezone) };
}

function graceEnd(expiresOn: Date, { policy: { grace }, timezone }: LadderInput): Date {
  return grace ? addTerm(expiresOn, grace.value, grace.unit, timezone) : expiresOn;
}

function withDue({ due: _due, ...ladder }: Ladder, input: LadderInput): Ladder {
  const expiresOn = topOf(ladder)?.expiresOn;
  if (!expiresOn) return ladder;
  return { ...ladder, due: expiresOn > input.now ? expiresOn : graceEnd(expiresOn, input) };
}

function withSeen({ seen, ...ladder }: Ladder, reached: TierLevelRef | undefined, input: LadderInput): Ladder {
  if (!reached) return ladder;
  const key = keyAt(input.now, input);
  const isSame = seen?.number === reached.number && seen.key === key;
  return { ...ladder, seen: isSame ? seen : { number: reached.number, key } };
}

/** Returns the key of the period that a date lies in, of the period kind in the policy's basis. */
export function keyAt(date: Date, { policy, timezone }: LadderInput): string {
  return policy.basis ? periodKey(policy.basis.period, localDay(date, timezone)) : '';
}
