import { pushTo } from '#base/common/lists/groupBy';
import type { Rule } from '../format/rule';
import type { FailedCondition } from '../language/decision';
import { operators } from '../language/operators';
import { type ConditionParts, compileRoot, prioritized } from './compileCondition';
import type { CompiledCondition } from './compiledCondition';
import { type Equalities, findEqualities } from './equalities';
import type { ConditionHit, EvaluateLevel, Evaluator, LevelOutcome } from './evaluator';
import type { FactFrame, FactSlots } from './factFrame';
import type { PriorityLevel } from './ruleSet';

/** The functions that compile rules; tests replace them to inject faults. */
export interface CompileParts extends ConditionParts {
  findEqualities(conditions: Rule['conditions'], facts: FactSlots): Equalities;
}

/**
 * Evaluates rules that are compiled once for each rule set: conditions are closures, and an index skips the rules that
 * cannot match. Its outcomes equal those of the reference evaluator, and it is synchronous.
 */
export function compiledEvaluator(changed: Partial<CompileParts> = {}): Evaluator {
  const parts: CompileParts = { operators, prioritized, findEqualities, ...changed };
  const levels = new WeakMap<PriorityLevel, CompiledLevel>();
  const evaluate: EvaluateLevel = (level, frame) => {
    let compiled = levels.get(level);
    if (!compiled) {
      compiled = compileLevel(level, parts);
      levels.set(level, compiled);
    }
    return new CompiledOutcome(compiled, frame);
  };
  return { forActivity: () => evaluate };
}

interface CompiledRule extends CompiledCondition {
  rule: Rule;
  /** The hit to report when the conditions are true. */
  hit: ConditionHit;
}

interface CompiledLevel {
  rules: readonly CompiledRule[];
  byRule: ReadonlyMap<Rule, CompiledRule>;
  index: RuleIndex;
}

function compileLevel({ rules, facts }: PriorityLevel, parts: CompileParts): CompiledLevel {
  const compiled = rules.map((rule) => compileRule(rule, facts, parts));
  const none: Equalities = new Map();
  // A rule that may fail is always evaluated; if the index skipped it, its failure would stay hidden.
  const equalities = compiled.map(({ rule, mayThrow }) =>
    mayThrow ? none : parts.findEqualities(rule.conditions, facts),
  );
  return { rules: compiled, byRule: new Map(compiled.map((each) => [each.rule, each])), index: ruleIndex(equalities) };
}

function compileRule(rule: Rule, facts: FactSlots, parts: CompileParts): CompiledRule {
  const hit = Object.freeze({ rule });
  try {
    return { rule, hit, ...compileRoot(rule.conditions, facts, parts) };
  } catch (error) {
    const refuse = () => {
      throw error;
    };
    return { rule, hit, test: refuse, strict: refuse, mayThrow: true, explain: () => undefined };
  }
}

class CompiledOutcome implements LevelOutcome {
  readonly hits: ConditionHit[] = [];

  constructor(
    private readonly level: CompiledLevel,
    private readonly frame: FactFrame,
  ) {
    if (frame.hasFailing) this.evaluateAll();
    else this.evaluateSelected();
  }

  failedCondition(rule: Rule): FailedCondition | undefined {
    return this.level.byRule.get(rule)?.explain(this.frame, false);
  }

  /** Evaluates all rules, because some fact cannot be read: every rule that reads this fact must fail. */
  private evaluateAll(): void {
    for (const each of this.level.rules) this.evaluate(each, each.strict);
  }

  private evaluateSelected(): void {
    const { rules, index } = this.level;
    const selected = index.select(this.frame);
    for (let word = 0; word < selected.length; word += 1) {
      for (let bits = selected[word] ?? 0; bits !== 0; bits &= bits - 1) {
        const each = rules[word * 32 + 31 - Math.clz32(bits & -bits)];
        if (each) this.evaluate(each, each.mayThrow ? each.strict : each.test);
      }
    }
  }

  private evaluate({ rule, hit }: CompiledRule, test: CompiledCondition['test']): void {
    try {
      if (test(this.frame)) this.hits.push(hit);
    } catch (error) {
      this.hits.push({ rule, error: error instanceof Error ? error.message : String(error) });
    }
  }
}

/** Finds the rules whose equalities match an activity; one bit for each rule, in rule order. */
interface RuleIndex {
  /** The bits of the rules that can match, 32 per word. The next call overwrites the array. */
  select(frame: FactFrame): Uint32Array;
}

/** The index of one slot: the rules without an equality on it, and for each value the rules that accept it. */
interface Column {
  slot: number;
  ofElement: boolean;
  /** The rules without an equality on this slot. */
  free: Uint32Array;
  /** The rules that accept a value: as a list, or, if they are many, as bits that include the bits of `free`. */
  accepting: ReadonlyMap<unknown, readonly number[] | Uint32Array>;
}

/**
 * An index over the equalities of rules. A rule without equalities can always match. A slot whose value is a Date
 * excludes no rule, because a Date can equal a string.
 */
function ruleIndex(rules: readonly Equalities[]): RuleIndex {
  const words = Math.ceil(rules.length / 32);
  const everyRule = new Uint32Array(words);
  for (let rule = 0; rule < rules.length; rule += 1) setBit(everyRule, rule);
  const columns = equalityColumns(rules, words);
  const selected = new Uint32Array(words);
  const scratch = new Uint32Array(words);
  return {
    select: (frame) => {
      selected.set(everyRule);
      for (const column of columns) narrow(selected, column, frame.value(column.slot), scratch);
      return selected;
    },
  };
}

/** Keeps only the rules that are free in this column or accept the value. */
function narrow(selected: Uint32Array, column: Column, value: unknown, scratch: Uint32Array): void {
  if (column.ofElement) narrowByElements(selected, column, value, scratch);
  else if (!(value instanceof Date)) narrowByValue(selected, column, value, scratch);
}

function narrowByValue(selected: Uint32Array, { accepting, free }: Column, value: unknown, scratch: Uint32Array): void {
  const rules = accepting.get(value);
  if (rules === undefined || rules instanceof Uint32Array) {
    intersect(selected, rules ?? free);
    return;
  }
  scratch.set(free);
  for (const rule of rules) setBit(scratch, rule);
  intersect(selected, scratch);
}

function narrowByElements(
  selected: Uint32Array,
  { accepting, free }: Column,
  list: unknown,
  scratch: Uint32Array,
): void {
  scratch.set(free);
  // A fact that is not a list has no elements, so no equality of elements is true.
  for (const each of Array.isArray(list) ? list : []) {
    if (each instanceof Date) return;
    const rules = accepting.get(each);
    if (rules instanceof Uint32Array) unite(scratch, rules);
    else if (rules) for (const rule of rules) setBit(scratch, rule);
  }
  intersect(selected, scratch);
}

function equalityColumns(rules: readonly Equalities[], words: number): Column[] {
  const askers = new Map<number, number[]>();
  rules.forEach((equalities, rule) => {
    for (const key of equalities.keys()) pushTo(askers, key, rule);
  });
  // For a column with fewer rules than words, evaluating these rules is faster than scanning its words.
  return [...askers]
    .filter(([, asking]) => asking.length >= words)
    .map(([key, asking]) => equalityColumn(key, asking, rules, words));
}

function equalityColumn(key: number, asking: readonly number[], rules: readonly Equalities[], words: number): Column {
  const free = new Uint32Array(words);
  rules.forEach((equalities, rule) => {
    if (!equalities.has(key)) setBit(free, rule);
  });
  const lists = new Map<unknown, number[]>();
  for (const rule of asking) {
    for (const value of rules[rule]?.get(key)?.values ?? []) pushTo(lists, value, rule);
  }
  const accepting = new Map(
    [...lists].map(([value, list]) => [value, list.length > words ? withBits(free, list) : list]),
  );
  const first = asking[0] === undefined ? undefined : rules[asking[0]]?.get(key);
  return { slot: first?.slot ?? -1, ofElement: first?.ofElement ?? false, free, accepting };
}

function withBits(bits: Uint32Array, rules: readonly number[]): Uint32Array {
  const result = bits.slice();
  for (const rule of rules) setBit(result, rule);
  return result;
}

function setBit(bits: Uint32Array, rule: number): void {
  const word = rule >>> 5;
  bits[word] = (bits[word] ?? 0) | (1 << (rule & 31));
}

function unite(bits: Uint32Array, others: Uint32Array): void {
  for (let word = 0; word < bits.length; word += 1) bits[word] = (bits[word] ?? 0) | (others[word] ?? 0);
}

function intersect(bits: Uint32Array, others: Uint32Array): void {
  for (let word = 0; word < bits.length; word += 1) bits[word] = (bits[word] ?? 0) & (others[word] ?? 0);
}
