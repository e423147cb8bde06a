import { addTerm, localDay } from '../../calendar/localCalendar';
import { periodKey } from '../../calendar/periods';
import type { HeldLevel, Ladder, Step } from '../../records/members/memberTier';
import type { TierPolicy } from '../../records/programs/tierPolicy';

/** What moves on a ladder depend on. */
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

/** The level that a ladder stands at, if any. */
export function topOf({ steps }: Ladder): Step | undefined {
  return steps.at(-1);
}

/**
 * Reaches every level whose threshold the value meets and that is above the one held. Above a level that a rule set, only
 * one that the metric had not reached in this period before.
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

/** Whether a rule set the level, so that what the metric reached before does not raise it. */
export function isSetByRule({ isSet, isFirm }: Step): boolean {
  return isSet ?? isFirm;
}

/** Notes at a step that the metric reaches it in a later period too: then it stands whatever becomes of the first. */
function reachedNow(value: number, input: LadderInput) {
  return (step: Step): Step => {
    const isReached = !step.isFirm && value >= (thresholdOf(step, input) ?? Number.POSITIVE_INFINITY);
    const isNoted = keyAt(step.reachedAgain ?? step.since, input) === keyAt(input.now, input);
    return isReached && !isNoted ? { ...step, reachedAgain: input.now } : step;
  };
}

function thresholdOf({ level }: Step, { policy }: LadderInput): number | undefined {
  return policy.levels.find(({ number }) => number === level.number)?.threshold;
}

/** Puts the member at a level, whatever its metric says; no cancellation takes that back. */
export function setLevel(ladder: Ladder, level: HeldLevel, input: LadderInput): Ladder {
  const top = topOf(ladder);
  const since = top?.level.number === level.number ? top.since : input.now;
  return withDue(
    { ...ladder, steps: [{ ...stepTo(level, input.now, input), since, isFirm: true, isSet: true }] },
    input,
  );
}

/**
 * What becomes of a level whose date is reached: the metric of the present period is looked at. A level
 * that it still reaches, or that is never lost, goes on for another term; else the level stays for the grace, and then
 * goes down: by one, or to what the metric reaches, and never below that.
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
 * Takes back the levels that the metric no longer reaches after a cancellation: those reached by the metric alone, each
 * judged by the present period, that in which it was reached, and the last in which it was reached again.
 * @param valueAt the metric's value in the period that a date lies in
 */
export function takeBack(ladder: Ladder, valueAt: (date: Date) => number, input: LadderInput): Ladder {
  const isEarned = (step: Step) => {
    const threshold = thresholdOf(step, input);
    if (step.isFirm || threshold === undefined) return true;
    const { since, reachedAgain = since } = step;
    return [input.now, since, reachedAgain].some((date) => valueAt(date) >= threshold);
  };
  const kept = ladder.steps.findLastIndex(isEarned) + 1;
  if (kept === ladder.steps.length) return ladder;
  // What was reached by what is taken back does not count as reached.
  const { seen: _seen, ...unseen } = ladder;
  const left = { ...unseen, steps: ladder.steps.slice(0, kept) };
  return withDue(withSeen(left, levelAt(input, valueAt(input.now)), input), input);
}

/** The highest level whose threshold a value meets. */
export function levelAt({ policy }: LadderInput, value: number): HeldLevel | undefined {
  return policy.levels
    .filter(({ threshold }) => threshold <= value)
    .reduce<HeldLevel | undefined>((best, { name, number }) => {
      return best && best.number > number ? best : { name, number };
    }, undefined);
}

function rising({ policy }: LadderInput): HeldLevel[] {
  return [...policy.levels].sort((a, b) => a.number - b.number).map(({ name, number }) => ({ name, number }));
}

/** One level down, or none; but at least what the metric reaches. */
function lowerLevel(held: HeldLevel, reached: HeldLevel | undefined, input: LadderInput): HeldLevel | undefined {
  if (input.policy.downgrade === 'full') return reached;
  const below = rising(input).findLast(({ number }) => number < held.number);
  return reached && (!below || reached.number > below.number) ? reached : below;
}

function stepTo(level: HeldLevel, since: Date, input: LadderInput): Step {
  return { level, since, isFirm: false, ...expiryFrom(since, input) };
}

/** A term that would be over already, after long downtime or a change of the policy, counts from now. */
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

function withSeen({ seen, ...ladder }: Ladder, reached: HeldLevel | undefined, input: LadderInput): Ladder {
  if (!reached) return ladder;
  const key = keyAt(input.now, input);
  const isSame = seen?.number === reached.number && seen.key === key;
  return { ...ladder, seen: isSame ? seen : { number: reached.number, key } };
}

/** The period of the policy's basis that a date lies in. */
export function keyAt(date: Date, { policy, timezone }: LadderInput): string {
  return policy.basis ? periodKey(policy.basis.period, localDay(date, timezone)) : '';
}
