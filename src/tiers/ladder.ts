import { periodKey } from '../aggregates/periods';
import { addTerm } from '../points/localCalendar';
import type { HeldLevel, Ladder, Step } from './memberTier';
import type { TierPolicy } from './tierPolicy';

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
 * Reaches every level whose threshold the value meets and that is above the one held. A level that the metric reached
 * in this period before is not reached again: what a rule set since then stands.
 */
export function climb(ladder: Ladder, value: number, input: LadderInput): Ladder {
  const reached = levelAt(input, value);
  const from = topOf(ladder)?.level.number ?? -1;
  const seenBefore = ladder.seen?.key === keyNow(input) ? ladder.seen.number : -1;
  const looked = withSeen(ladder, reached, input);
  if (!reached || reached.number <= from || reached.number <= seenBefore) return looked;
  const passed = rising(input).filter(({ number }) => number > from && number <= reached.number);
  const steps = passed.map((level) => stepTo(level, input.now, input));
  return withDue({ ...looked, steps: [...ladder.steps, ...steps] }, input);
}

/** Puts the member at a level, whatever its metric says; no cancellation takes that back. */
export function setLevel(ladder: Ladder, level: HeldLevel, input: LadderInput): Ladder {
  const top = topOf(ladder);
  const since = top?.level.number === level.number ? top.since : input.now;
  return withDue({ ...ladder, steps: [{ ...stepTo(level, input.now, input), since, isFirm: true }] }, input);
}

/**
 * What becomes of a level whose date is reached (DESIGN 12): the metric of the present period is looked at. A level
 * that it still reaches, or that is never lost, goes on for another term; else the level stays for the grace, and then
 * goes down: by one, or to what the metric reaches, and never below that.
 */
export function lapse(ladder: Ladder, value: number, input: LadderInput): Ladder {
  const top = topOf(ladder);
  if (!top?.expiresOn || top.expiresOn > input.now) return withDue(ladder, input);
  const reached = levelAt(input, value);
  const looked = withSeen(ladder, reached, input);
  if (input.policy.downgrade === 'none' || (reached && reached.number >= top.level.number)) {
    const { level, since } = top;
    return withDue({ ...looked, steps: [{ level, since, isFirm: true, ...expiryFrom(top.expiresOn, input) }] }, input);
  }
  const end = graceEnd(top.expiresOn, input);
  if (end > input.now) return withDue(looked, input);
  const lower = lowerLevel(top.level, reached, input);
  return withDue({ ...looked, steps: lower ? [{ ...stepTo(lower, end, input), isFirm: true }] : [] }, input);
}

/**
 * Takes back the levels that the metric no longer reaches after a cancellation: those reached by the metric alone, each
 * judged by the period in which it was reached.
 * @param valueAt the metric's value in the period that a date lies in
 */
export function takeBack(ladder: Ladder, valueAt: (date: Date) => number, input: LadderInput): Ladder {
  const isEarned = ({ isFirm, level, since }: Step) => {
    const threshold = input.policy.levels.find(({ number }) => number === level.number)?.threshold;
    return isFirm || threshold === undefined || valueAt(since) >= threshold;
  };
  const kept = ladder.steps.findLastIndex(isEarned) + 1;
  const looked = withSeen(ladder, levelAt(input, valueAt(input.now)), input);
  return kept === ladder.steps.length ? looked : withDue({ ...looked, steps: ladder.steps.slice(0, kept) }, input);
}

function levelAt({ policy }: LadderInput, value: number): HeldLevel | undefined {
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
  const key = keyNow(input);
  const isSame = seen?.number === reached.number && seen.key === key;
  return { ...ladder, seen: isSame ? seen : { number: reached.number, key } };
}

function keyNow({ policy, now }: LadderInput): string {
  return policy.basis ? periodKey(policy.basis.period, now) : '';
}
