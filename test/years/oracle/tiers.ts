import { later, type Period, periodOf, type Snap, snapped, type Unit } from './calendar';
import type { OracleMember } from './member';

/** A tier policy as it is posted. */
export interface TierPolicy {
  name: string;
  levels: { name: string; number: number; threshold: number }[];
  basis: { metric: string; period: Period };
  downgrade: 'none' | 'one' | 'full';
  expiry?: { value: number; unit: Unit; snap?: Snap };
  grace?: { value: number; unit: Unit };
}

/** A level that a member has or would fall back to. */
interface Step {
  level: number;
  since: number;
  /** Where its terms are counted from, and how many of them have passed. */
  anchor: number;
  terms: number;
  expiresAt: number | undefined;
  /** The periods in which it was reached, first and last. */
  reachedIn: string[];
  /** Whether no cancellation takes it. */
  isFirm: boolean;
  /** Whether a rule set it: then the metric raises it only to what it had not reached before in the period. */
  isSet: boolean;
}

/** A level that a member has, since when and until when. */
export interface Held {
  level: number;
  since: number;
  expiresAt: number | undefined;
}

/** The ladder of a member under a policy, lowest step first. */
export interface Tier {
  policy: TierPolicy;
  steps: Step[];
  /** When the grace of the highest step ends, while it lasts. */
  graceUntil: number | undefined;
  /** What a rule gave for a time, beside the ladder. */
  forTime: Held[];
  /** The highest level that the metric reaches in a period, as of the last commit. */
  seen: { period: string; level: number } | undefined;
}

/** What a member has: the better of its ladder and of what a rule gave for a time. */
export function held({ steps, forTime }: Tier): Held | undefined {
  return [...steps.slice(-1), ...forTime].reduce<Held | undefined>((best, each) => {
    return isBetter(each, best) ? each : best;
  }, undefined);
}

/** The higher level is better, then the one that lasts longer. */
export function isBetter(one: Held, other: Held | undefined): boolean {
  if (!other || one.level !== other.level) return one.level > (other?.level ?? -1);
  return (one.expiresAt ?? Infinity) > (other.expiresAt ?? Infinity);
}

/** Since when a member that comes to a level has it: since it has had it without a break, else now. */
function sinceOf(tier: Tier, level: number, now: number): number {
  const present = held(tier);
  return present?.level === level ? present.since : now;
}

/** What the metric sums up to in the period that has a moment. */
function sumAt({ basis }: TierPolicy, { metrics, zone }: OracleMember, at: number): number {
  return sumIn(basis, metrics, periodOf(basis.period, at, zone));
}

function sumIn({ metric, period }: TierPolicy['basis'], metrics: OracleMember['metrics'], name: string): number {
  let sum = 0;
  for (const [day, value] of metrics.get(metric) ?? []) {
    if (periodOf(period, Date.parse(`${day}T12:00:00Z`), 'UTC') === name) sum += value;
  }
  return sum;
}

/** The index of the highest level that a sum reaches; -1 for none. */
function reachedBy({ levels }: TierPolicy, sum: number): number {
  return levels.findLastIndex(({ threshold }) => threshold <= sum);
}

/** When a term that is counted from a moment ends; undefined without terms. */
function termEnd({ expiry }: TierPolicy, from: number, zone: string, times = 1): number | undefined {
  if (!expiry) return undefined;
  return snapped(later(from, expiry.value * times, expiry.unit, zone), expiry.snap ?? 'none', zone);
}

const isSnapped = ({ expiry }: TierPolicy) => (expiry?.snap ?? 'none') !== 'none';

/** The tiers of a member that enrols now. */
export function newTiers(policies: readonly TierPolicy[], member: OracleMember, now: number): Tier[] {
  return policies.map((policy) => {
    const tier: Tier = { policy, steps: [], graceUntil: undefined, forTime: [], seen: undefined };
    climb(tier, member, now);
    return tier;
  });
}

/** Judges what is due up to now, one after the other, each by the period of its own moment. */
export function settleTier(tier: Tier, member: OracleMember, now: number): void {
  tier.forTime = tier.forTime.filter(({ expiresAt = Infinity }) => expiresAt > now);
  for (let top = tier.steps.at(-1); top; top = tier.steps.at(-1)) {
    const end = top.expiresAt;
    if (end === undefined || end > now) return;
    if (tier.graceUntil === undefined) {
      const renewed = renewedUntil(tier.policy, top, member, end);
      if (renewed !== undefined) renew(top, renewed);
      else if (tier.policy.grace) {
        tier.graceUntil = later(end, tier.policy.grace.value, tier.policy.grace.unit, member.zone);
      } else downgrade(tier, member, end, end);
    } else if (tier.graceUntil <= now) {
      const at = tier.graceUntil;
      tier.graceUntil = undefined;
      downgrade(tier, member, at, end);
    } else return;
  }
}

function renew(step: Step, until: number): void {
  step.expiresAt = until;
  step.terms += 1;
  step.isFirm = true;
}

/** The end of the next term of a level whose term ends, when it is renewed. */
function renewedUntil(policy: TierPolicy, step: Step, member: OracleMember, end: number): number | undefined {
  const needed = policy.levels[step.level]?.threshold ?? 0;
  const { zone } = member;
  if (!isSnapped(policy)) {
    const isKept = policy.downgrade === 'none' || sumAt(policy, member, end) >= needed;
    return isKept ? nextTerm(policy, step, end, zone) : undefined;
  }
  if (sumAt(policy, member, end) >= needed) return termEnd(policy, end, zone);
  const isKept = policy.downgrade === 'none' || sumAt(policy, member, end - 1) >= needed;
  return isKept ? nextTerm(policy, step, end, zone) : undefined;
}

/** The term that follows one without a gap. Without a snap all terms keep the day and the time at which the first began. */
function nextTerm(policy: TierPolicy, { anchor, terms }: Step, end: number, zone: string): number | undefined {
  return isSnapped(policy) ? termEnd(policy, end - 1, zone) : termEnd(policy, anchor, zone, terms + 1);
}

/** What a member lands on: the level that a sum reaches, or with a soft landing the next lower one. */
function downgrade(tier: Tier, member: OracleMember, at: number, end: number): void {
  const { policy } = tier;
  const top = tier.steps.pop();
  tier.steps = [];
  const present = reachedBy(policy, sumAt(policy, member, at));
  const before = isSnapped(policy) ? reachedBy(policy, sumAt(policy, member, end - 1)) : -1;
  const lowest = policy.downgrade === 'one' ? (top?.level ?? 0) - 1 : -1;
  const level = Math.max(present, before, lowest);
  if (level < 0) return;
  const isOfPresent = !isSnapped(policy) || present === level;
  const expiresAt = termEnd(policy, isOfPresent ? at : end - 1, member.zone);
  tier.steps.push({ ...newStep(level, at), expiresAt, isFirm: true });
}

function newStep(level: number, at: number): Step {
  const term = { since: at, anchor: at, terms: 1, expiresAt: undefined };
  return { level, ...term, reachedIn: [], isFirm: false, isSet: false };
}

/** Sets a level by a rule, up or down: whatever the metric reached, and what was given for a time, ends. */
export function setLevel(tier: Tier, level: number, member: OracleMember, now: number): void {
  const since = sinceOf(tier, level, now);
  const expiresAt = termEnd(tier.policy, now, member.zone);
  tier.steps = [{ ...newStep(level, now), since, expiresAt, isFirm: true, isSet: true }];
  tier.graceUntil = undefined;
  tier.forTime = [];
}

/** Gives a level for a time, beside the ladder. */
export function giveForTime(tier: Tier, level: number, expiresAt: number, now: number): void {
  if (expiresAt > now) tier.forTime.push({ level, since: sinceOf(tier, level, now), expiresAt });
}

/** Raises a member to what it reaches after a commit, and ends its grace when it reaches its level again. */
export function climb(tier: Tier, member: OracleMember, now: number): void {
  const { policy } = tier;
  const reached = reachedBy(policy, sumAt(policy, member, now));
  const top = tier.steps.at(-1);
  const period = periodOf(policy.basis.period, now, member.zone);
  const before = tier.seen?.period === period ? tier.seen.level : -1;
  tier.seen = { period, level: reached };
  if (top) renewInGrace(tier, top, member, reached);
  for (const step of tier.steps) {
    if (reached >= step.level) step.reachedIn = [step.reachedIn[0] ?? period, period];
  }
  if (top?.isSet && reached <= before) return;
  const present = held(tier);
  for (let level = (top?.level ?? -1) + 1; level <= reached; level += 1) {
    tier.graceUntil = undefined;
    const since = present?.level === level ? present.since : now;
    const expiresAt = termEnd(policy, now, member.zone);
    tier.steps.push({ ...newStep(level, now), since, expiresAt, reachedIn: [period] });
  }
}

/** Renews a level in its grace. With terms that snap the periods decide that decided when it ended, with what came since. */
function renewInGrace(tier: Tier, top: Step, member: OracleMember, reached: number): void {
  const { policy, graceUntil } = tier;
  if (graceUntil === undefined || top.expiresAt === undefined) return;
  const byNow = reached >= top.level ? nextTerm(policy, top, top.expiresAt, member.zone) : undefined;
  const until = isSnapped(policy) ? renewedUntil(policy, top, member, top.expiresAt) : byNow;
  if (until === undefined) return;
  tier.graceUntil = undefined;
  renew(top, until);
}

/** Takes levels that the metric alone reached, and that no sum reaches any more. */
export function revoke(tier: Tier, member: OracleMember, now: number): void {
  const { policy } = tier;
  const present = periodOf(policy.basis.period, now, member.zone);
  for (let top = tier.steps.at(-1); top && !top.isFirm; top = tier.steps.at(-1)) {
    const periods = [present, ...top.reachedIn];
    const needed = policy.levels[top.level]?.threshold ?? 0;
    if (periods.some((name) => sumIn(policy.basis, member.metrics, name) >= needed)) return;
    tier.steps.pop();
    tier.graceUntil = undefined;
  }
}
