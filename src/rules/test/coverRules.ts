import { compileComparison } from '../evaluate/compileComparison';
import { compiledEvaluator } from '../evaluate/compiledEvaluator';
import type { Evaluator } from '../evaluate/evaluator';
import type { FactFrame } from '../evaluate/factFrame';
import type { RuleLevel } from '../evaluate/ruleSet';
import type { Definitions } from '../format/definitions';
import type { RuleDraft } from '../format/rule';
import { type Comparison, comparisonsOf } from '../language/condition';
import { operators } from '../language/operators';
import { runTests, type TestOutcome } from './runTests';

/** What the tests of rules came to, and what they touched. */
export interface RuleCoverage {
  outcomes: readonly TestOutcome[];
  /** Rules that fired in some test, of whatever rule. */
  hit: ReadonlySet<RuleDraft>;
  /** Whether a comparison held, and whether it failed, in some test; absent when no test evaluated it. */
  seen: ReadonlyMap<Comparison, { true: boolean; false: boolean }>;
}

/** Runs the tests of rules and watches which rules fire and what comes of each of their comparisons. */
export async function coverRules(rules: readonly RuleDraft[], definitions: Definitions): Promise<RuleCoverage> {
  const seen = new Map<Comparison, { true: boolean; false: boolean }>();
  const outcomes = await runTests(rules, definitions, watching(seen));
  const fired = new Set(outcomes.flatMap(({ rule, fired: keys }) => keys.map((key) => `${rule.programCode} ${key}`)));
  const hit = new Set(rules.filter(({ programCode, key }) => fired.has(`${programCode} ${key}`)));
  return { outcomes, hit, seen };
}

/** The usual evaluator; beside it every comparison is evaluated, also those that an earlier one makes needless. */
function watching(seen: Map<Comparison, { true: boolean; false: boolean }>): Evaluator {
  const usual = compiledEvaluator();
  const watches = new WeakMap<RuleLevel, Watch[]>();
  return {
    forActivity() {
      const evaluate = usual.forActivity();
      return (level, frame) => {
        const own = watches.get(level) ?? watchesOf(level);
        watches.set(level, own);
        for (const { comparison, test } of own) {
          const known = seen.get(comparison) ?? { true: false, false: false };
          known[test(frame) ? 'true' : 'false'] = true;
          seen.set(comparison, known);
        }
        return evaluate(level, frame);
      };
    },
  };
}

interface Watch {
  comparison: Comparison;
  test(frame: FactFrame): boolean;
}

function watchesOf({ rules, facts }: RuleLevel): Watch[] {
  return rules
    .flatMap(({ conditions }) => comparisonsOf(conditions))
    .map((comparison) => {
      const { test } = compileComparison(comparison, facts, operators);
      return { comparison, test: (frame) => holds(test, frame) };
    });
}

/** A comparison that fails to evaluate does not hold. */
function holds(test: (frame: FactFrame) => boolean, frame: FactFrame): boolean {
  try {
    return test(frame);
  } catch {
    return false;
  }
}
