import { minutesOfDay } from '#base/calendar/dueTimes';
import type { LocalTime } from '#base/calendar/localCalendar';
import type { EvaluateLevel, LevelOutcome } from '../evaluate/evaluator';
import { FactFrame } from '../evaluate/factFrame';
import type { ActivityLevel } from '../evaluate/ruleSet';
import type { TableReader } from '../evaluate/tableReader';
import { dayNames, type Rule } from '../format/rule';
import { scheduleText } from '../format/schedule';
import type { Clock } from '../language/clock';
import type { FailedCondition, MatchReason } from '../language/decision';
import type { FactRef } from '../language/factRef';
import { resolvePath } from '../language/path';
import type { ActivityFacts, ReadMember } from './activityFacts';
import type { DecideInput } from './decideInput';

/** A priority level of the rules with the facts of one activity. */
export interface PriorityGroup extends EligibilityInput {
  level: ActivityLevel;
  /** The facts before any effect of this level is applied. */
  frame: FactFrame;
  /** The same for each line item; empty when no rule is evaluated for line items. */
  lines: readonly FactFrame[];
}

/** The outcome of a level's conditions: of the rules evaluated once, and of the `perLine` rules for each line item. */
export interface GroupOutcome {
  once: LevelOutcome;
  lines: readonly LevelOutcome[];
}

/** Prepares a level; no facts are read yet. `tables` reads lookup tables, with keys as `input.recall` gives them. */
export function priorityGroup(
  level: ActivityLevel,
  input: DecideInput,
  facts: ActivityFacts,
  tables?: TableReader,
): PriorityGroup {
  const member = rememberMember(input);
  const { once, perLine } = level;
  const reader = (line?: number) => {
    const live = facts.reader(member, line);
    const known = input.recall?.(live, { priority: level.priority, line }) ?? live;
    return tables ? tables(known) : known;
  };
  const frame = new FactFrame(once.facts, reader());
  const lines = perLine ? input.activity.lineItems.map((_, line) => new FactFrame(perLine.facts, reader(line))) : [];
  const { date, occasion } = input.activity;
  return { level, frame, lines, date, schedule: occasion?.schedule, local: facts.local, member };
}

/** Reads all facts that the rules of a level need. Afterwards effects may change the member. */
export function readFacts({ level, frame, lines, member }: PriorityGroup): void {
  if (level.once.restricted || level.perLine?.restricted) member();
  frame.readAll();
  for (const line of lines) line.readAll();
}

/** Evaluates the conditions of a level after {@link readFacts}. Returns a promise only if the evaluator returns one. */
export function evaluateGroup(
  { level, frame, lines }: PriorityGroup,
  evaluate: EvaluateLevel,
): GroupOutcome | Promise<GroupOutcome> {
  const once = evaluate(level.once, frame);
  const { perLine } = level;
  const outcomes = perLine ? [once, ...lines.map((line) => evaluate(perLine, line))] : [once];
  const ready = outcomes.filter((each): each is LevelOutcome => !(each instanceof Promise));
  return ready.length === outcomes.length ? stageOutcome(ready) : Promise.all(outcomes).then(stageOutcome);
}

function stageOutcome([once = nothing, ...lines]: readonly LevelOutcome[]): GroupOutcome {
  return { once, lines };
}

const nothing: LevelOutcome = { hits: [], failedCondition: () => undefined };

function rememberMember({ target }: DecideInput): ReadMember {
  let member: ReturnType<ReadMember> | undefined;
  return () => {
    member ??= target.memberFacts();
    return member;
  };
}

/** A rule whose conditions are true, or, with `error`, whose conditions could not be evaluated. */
export interface GroupHit {
  rule: Rule;
  error?: string | undefined;
  /** The facts for which the conditions are true: one entry, or one for each such line item of a `perLine` rule. */
  frames: readonly { frame: FactFrame; line: number }[];
}

/** The rules of a level whose conditions are true or failed to evaluate, in rule order. */
export function groupHits(stage: PriorityGroup, { once, lines }: GroupOutcome): GroupHit[] {
  const frames = [{ frame: stage.frame, line: 0 }];
  const plain = once.hits.map(({ rule, error }): GroupHit => ({ rule, error, frames }));
  return stage.level.perLine ? inRuleOrder(stage, [...plain, ...lineHits(stage, lines)]) : plain;
}

function lineHits({ lines: frames }: PriorityGroup, lines: GroupOutcome['lines']): GroupHit[] {
  const hits = new Map<
    Rule,
    { rule: Rule; error?: string | undefined; frames: { frame: FactFrame; line: number }[] }
  >();
  lines.forEach((outcome, line) => {
    const frame = frames[line];
    if (!frame) return;
    for (const { rule, error } of outcome.hits) {
      const known = hits.get(rule) ?? { rule, frames: [] };
      known.error ??= error;
      known.frames.push({ frame, line });
      hits.set(rule, known);
    }
  });
  return [...hits.values()];
}

function inRuleOrder({ level }: PriorityGroup, hits: readonly GroupHit[]): GroupHit[] {
  const byRule = new Map(hits.map((hit) => [hit.rule, hit]));
  return level.rules.flatMap((rule) => byRule.get(rule) ?? []);
}

/** Why a rule is excluded, whatever its conditions are. */
export interface Ineligible {
  reason: MatchReason;
  failedCondition?: FailedCondition;
}

/** What decides whether a rule is eligible. */
interface EligibilityInput {
  date: Date;
  /** The schedule of an occasion that the calendar brought; undefined for every other activity. */
  schedule: string | undefined;
  /** The date as local time of a clock. */
  local(clock?: Clock): LocalTime;
  member(): Readonly<Record<string, unknown>>;
}

/** Checks status, dates, hours, schedule, segments and tiers of a rule; undefined when the rule is eligible. */
export function ineligible(rule: Rule, { date, schedule, local, member }: EligibilityInput): Ineligible | undefined {
  const { status, effective, hours, segments, tiers } = rule;
  if (status !== 'active' || !holdsAt(effective, date)) return { reason: 'notEffective' };
  if (hours && !isWithin(hours, local(hours.clock))) return { reason: 'notEffective' };
  return (
    (schedule === undefined ? undefined : notOfSchedule(rule, schedule)) ??
    (segments && mismatch('$.segments', segments, asList(member().segments))) ??
    (tiers && mismatch('$.tier', tiers, Object.values(asObject(member().tier))))
  );
}

/** `from` is inclusive, `to` is exclusive. */
function holdsAt(effective: Rule['effective'], date: Date): boolean {
  if (effective?.from && date < effective.from) return false;
  return !(effective?.to && date >= effective.to);
}

/** Hours that span midnight belong to the day on which they begin. */
function isWithin({ days, from = '00:00', to = '24:00' }: NonNullable<Rule['hours']>, local: LocalTime): boolean {
  const minute = local.hour * 60 + local.minute;
  const start = minutesOfDay(from);
  const end = minutesOfDay(to);
  const isOn = (weekday: number) => days === undefined || days.some((day) => dayNames.indexOf(day) === weekday);
  if (start < end) return isOn(local.weekday) && minute >= start && minute < end;
  return minute >= start ? isOn(local.weekday) : minute < end && isOn((local.weekday + 6) % 7);
}

/** An occasion that the calendar brought is only for the rules with its schedule. */
function notOfSchedule(rule: Rule, actual: string): Ineligible | undefined {
  const expected = scheduleText(rule);
  if (expected === actual) return undefined;
  const failedCondition = { fact: 'activity', path: '$.occasion.schedule', operator: 'equal', expected, actual };
  return { reason: 'conditionFailed', failedCondition };
}

function mismatch(path: string, expected: readonly string[], actual: readonly unknown[]) {
  if (expected.some((each) => actual.includes(each))) return undefined;
  const failedCondition = { fact: 'member', path, operator: 'someFact:in', expected, actual };
  return { reason: 'conditionFailed' as const, failedCondition };
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function asObject(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}

/** The facts with which the segments, tiers and hours of rules are compared. */
export const eligibilityRefs = {
  segments: { fact: 'member', path: '$.segments' },
  tiers: { fact: 'member', path: '$.tier' },
  timezone: { fact: 'program', path: '$.timezone' },
} as const satisfies Record<string, FactRef>;

/** The fact values that decide whether the rules of a level are eligible; only those that some rule restricts. */
export function eligibilityReads({ level, member, frame }: PriorityGroup): { ref: FactRef; value: unknown }[] {
  const { segments, tiers, timezone } = eligibilityRefs;
  const reads: { ref: FactRef; value: unknown }[] = [];
  const ofMember = (ref: typeof segments | typeof tiers) => ({ ref, value: resolvePath(member(), ref.path) });
  if (level.rules.some((rule) => rule.segments)) reads.push(ofMember(segments));
  if (level.rules.some((rule) => rule.tiers)) reads.push(ofMember(tiers));
  if (level.rules.some((rule) => rule.hours)) {
    reads.push({ ref: timezone, value: resolvePath(frame.readFact('program'), timezone.path) });
  }
  return reads;
}
