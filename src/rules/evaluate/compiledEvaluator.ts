import type { Rule } from '../format/rule';
import type { FailedCondition } from '../language/decision';
import { operators } from '../language/operators';
import { type ConditionParts, compileRoot, prioritized } from './compileCondition';
import type { CompiledCondition } from './compiledCondition';
import { type Equalities, equalitiesOf } from './equalities';
import type { ConditionHit, EvaluateLevel, Evaluator, LevelOutcome } from './evaluator';
import type { FactFrame, FactSlots } from './factFrame';
import { type RuleIndex, ruleIndex } from './ruleIndex';
import type { RuleLevel } from './ruleSet';

/** What rules are compiled with; tests plant faults here. */
export interface CompileParts extends ConditionParts {
  equalitiesOf(conditions: Rule['conditions'], facts: FactSlots): Equalities;
}

/**
 * Evaluates rules that were compiled once a rule set: conditions are closures, and an index leaves out the rules that
 * cannot match. Answers exactly what the reference answers, at once.
 */
export function compiledEvaluator(changed: Partial<CompileParts> = {}): Evaluator {
  const parts: CompileParts = { operators, prioritized, equalitiesOf, ...changed };
  const levels = new WeakMap<RuleLevel, CompiledLevel>();
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
  /** The outcome of a rule whose conditions hold. */
  held: ConditionHit;
}

interface CompiledLevel {
  rules: readonly CompiledRule[];
  byRule: ReadonlyMap<Rule, CompiledRule>;
  index: RuleIndex;
}

function compileLevel({ rules, facts }: RuleLevel, parts: CompileParts): CompiledLevel {
  const compiled = rules.map((rule) => compileRule(rule, facts, parts));
  const none: Equalities = new Map();
  // A rule that may fail is always evaluated: it must not look as if it did not hold.
  const equalities = compiled.map(({ rule, mayThrow }) =>
    mayThrow ? none : parts.equalitiesOf(rule.conditions, facts),
  );
  return { rules: compiled, byRule: new Map(compiled.map((each) => [each.rule, each])), index: ruleIndex(equalities) };
}

function compileRule(rule: Rule, facts: FactSlots, parts: CompileParts): CompiledRule {
  const held = Object.freeze({ rule });
  try {
    return { rule, held, ...compileRoot(rule.conditions, facts, parts) };
  } catch (error) {
    const refuse = () => {
      throw error;
    };
    return { rule, held, test: refuse, strict: refuse, mayThrow: true, explain: () => undefined };
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

  /** A fact cannot be read: rules that ask for it must fail, whatever else they ask for. */
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

  private evaluate({ rule, held }: CompiledRule, test: CompiledCondition['test']): void {
    try {
      if (test(this.frame)) this.hits.push(held);
    } catch (error) {
      this.hits.push({ rule, error: error instanceof Error ? error.message : String(error) });
    }
  }
}
