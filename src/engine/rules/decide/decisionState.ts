import { isDeepStrictEqual } from 'node:util';
import { lineFacts } from '../format/facts';
import type { Rule } from '../format/rule';
import type {
  CounterUse,
  Decision,
  FactRead,
  FailedCondition,
  MatchReason,
  RuleError,
  RuleMatch,
} from '../language/decision';
import { type FactRef, refKey } from '../language/factRef';
import { withKeys } from '../language/tableParams';
import type { ActivityAwards, ActivityUses } from './awardsAndUses';
import { eligibilityReads, type GroupOutcome, ineligible, type PriorityGroup } from './priorityGroup';

/** The points that a rule wanted and gave. */
type Points = Pick<RuleMatch, 'desired' | 'granted'>;

/** Collects the parts of a decision, level by level. */
export class DecisionState {
  /** No further rule runs, because a rule with `stop` fired or a fatal error occurred. */
  isOver = false;
  /** Groups with `pick: first` of which a rule has fired. */
  readonly decidedGroups = new Set<string>();
  private readonly entered: EnteredLevel[] = [];
  private readonly kept: RuleMatch[] = [];
  private readonly errors: RuleError[] = [];
  private readonly usage: CounterUse[] = [];
  private lastFired: Decision['lastFired'];

  constructor(
    /** What the rules that fired gave. */
    readonly awards: ActivityAwards,
    /** What the rules that fired used of limits that several rules share. */
    readonly uses: ActivityUses,
  ) {}

  /** Adds a level; without an outcome, the level was not evaluated. */
  enter(stage: PriorityGroup, outcome?: GroupOutcome): void {
    this.entered.push({ stage, outcome });
  }

  fired(rule: Rule, points: Points, use: readonly CounterUse[], reason?: MatchReason): void {
    this.kept.push(buildRuleMatch(rule, true, reason, points));
    this.usage.push(...use);
    this.lastFired = ruleHead(rule);
    if (rule.group !== undefined && rule.pick === 'first') this.decidedGroups.add(rule.group);
    if (rule.stop) this.isOver = true;
  }

  /** Adds a rule that could have fired but did not. */
  cut(rule: Rule, reason: MatchReason, points: Points = {}): void {
    this.kept.push(buildRuleMatch(rule, false, reason, points));
  }

  /** Adds an error that makes the activity fail; with `survives`, the other rules are still evaluated. */
  failed(error: RuleError, survives: boolean): void {
    this.errors.push(error);
    if (!survives) this.isOver = true;
  }

  decision(): Decision {
    const { kept, errors, usage, lastFired, entered } = this;
    return new Decided(kept, errors, errors.length > 0 ? [] : usage, lastFired, entered);
  }
}

/**
 * A decision that computes `ruleMatch` and `factsRead` at first use: they are rarely used, and rules may be thousands.
 */
class Decided implements Decision {
  private matches: RuleMatch[] | undefined;
  private reads: FactRead[] | undefined;

  constructor(
    readonly kept: RuleMatch[],
    readonly errors: RuleError[],
    readonly usage: CounterUse[],
    readonly lastFired: Decision['lastFired'],
    private readonly entered: readonly EnteredLevel[],
  ) {}

  get ruleMatch(): RuleMatch[] {
    this.matches ??= mergeMatches(this.entered, this.kept);
    return this.matches;
  }

  get factsRead(): FactRead[] {
    this.reads ??= mergeReads(this.entered);
    return this.reads;
  }
}

interface EnteredLevel {
  stage: PriorityGroup;
  outcome: GroupOutcome | undefined;
}

function mergeMatches(entered: readonly EnteredLevel[], kept: readonly RuleMatch[]): RuleMatch[] {
  const byKey = new Map(kept.map((match) => [match.key, match]));
  return entered.flatMap(({ stage, outcome }) =>
    stage.level.rules.map((rule) => byKey.get(rule.key) ?? missed(rule, stage, outcome)),
  );
}

function missed(rule: Rule, stage: PriorityGroup, outcome: GroupOutcome | undefined): RuleMatch {
  const why = ineligible(rule, stage);
  if (why) return { ...ruleHead(rule), fired: false, ...why };
  const failedCondition = outcome && findFailedCondition(rule, outcome);
  return { ...ruleHead(rule), fired: false, reason: 'conditionFailed', ...(failedCondition && { failedCondition }) };
}

/** Why the conditions of a rule are false; for a `perLine` rule, why they are false for the first line item. */
function findFailedCondition(rule: Rule, { once, lines }: GroupOutcome): FailedCondition | undefined {
  if (!rule.perLine) return once.failedCondition(rule);
  return lines.length > 0 ? lines[0]?.failedCondition(rule) : noLineItems;
}

/** The failed condition of a `perLine` rule when the activity has no line items. */
export const noLineItems: FailedCondition = {
  fact: 'activity',
  path: '$.lineItems',
  operator: 'isEmpty',
  expected: false,
  actual: [],
};

/** The value of each fact, and every later value that differs from the one before. */
function mergeReads(entered: readonly EnteredLevel[]): FactRead[] {
  const reads = new Map<string, FactRead[]>();
  for (const { stage, outcome } of entered) {
    const { level, frame, lines } = stage;
    const eligibility = eligibilityReads(stage).map((read) => ({ key: refKey(read.ref), ...read }));
    // For a level that was not evaluated, only the values that decide eligibility were read.
    const once = outcome ? frame.recorded() : [];
    const ofLines = (outcome ? lines : []).flatMap((each, line) => each.recorded().map((read) => ({ line, ...read })));
    for (const { key: name, ref, value, ...at } of [...eligibility, ...once, ...ofLines]) {
      const key = isOfLine(ref) && 'line' in at ? `${name} ${at.line}` : name;
      const known = reads.get(key);
      const last = known?.at(-1);
      if (last && (last.value === value || isDeepStrictEqual(last.value, value))) continue;
      const read = { priority: level.priority, value, ...ref, ...(isOfLine(ref) ? at : {}) };
      if (known) known.push(read);
      else reads.set(key, [read]);
    }
  }
  return [...reads.values()].flat();
}

function buildRuleMatch(
  rule: Rule,
  fired: boolean,
  reason: MatchReason | undefined,
  { desired, granted }: Points,
): RuleMatch {
  const match: RuleMatch = { rule: rule._id, key: rule.key, name: rule.name, version: rule.version, fired };
  if (reason !== undefined) match.reason = reason;
  if (desired !== undefined) match.desired = desired;
  if (granted !== undefined) match.granted = granted;
  return match;
}

/** Tells whether the fact has its own value for each line item. */
function isOfLine(ref: FactRef): boolean {
  return lineFacts.has(ref.fact) || (ref.fact === 'table' && withKeys(ref).some(({ fact }) => lineFacts.has(fact)));
}

function ruleHead({ _id, key, name, version }: Rule) {
  return { rule: _id, key, name, version };
}
