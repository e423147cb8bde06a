import { compileComparison } from '../evaluate/compileComparison';
import { compiledEvaluator } from '../evaluate/compiledEvaluator';
import type { Evaluator } from '../evaluate/evaluator';
import type { FactFrame } from '../evaluate/factFrame';
import type { PriorityLevel } from '../evaluate/ruleSet';
import type { RuleDefinition } from '../format/rule';
import type { RuleReferences } from '../format/ruleReferences';
import { type Comparison, listComparisons } from '../language/condition';
import { operators } from '../language/operators';
import { runTests, type TestOptions, type TestOutcome } from './runTests';

/** The outcomes of the tests of rules, and what the tests covered. */
export interface RuleCoverage {
  outcomes: readonly TestOutcome[];
  /** Rules that fired in at least one test. It may be the test of another rule. */
  hit: ReadonlySet<RuleDefinition>;
  /** Whether a comparison was true in some test, and whether it was false in some test. Absent when never evaluated. */
  seen: ReadonlyMap<Comparison, { true: boolean; false: boolean }>;
}

/** Runs the tests of rules. Records which rules fire, and the results of every comparison. */
export async function coverRules(
  rules: readonly RuleDefinition[],
  definitions: RuleReferences,
  { runScenario, of }: Pick<TestOptions, 'runScenario' | 'of'> = {},
): Promise<RuleCoverage> {
  const seen = new Map<Comparison, { true: boolean; false: boolean }>();
  const outcomes = await runTests(rules, definitions, {
    evaluator: watching(seen),
    runScenario,
    ...(of ? { of } : {}),
  });
  const fired = new Set(outcomes.flatMap(({ rule, fired: keys }) => keys.map((key) => `${rule.programCode} ${key}`)));
  const hit = new Set(rules.filter(({ programCode, key }) => fired.has(`${programCode} ${key}`)));
  return { outcomes, hit, seen };
}

/** The usual evaluator, which also evaluates and records every comparison, even one that does not affect the result. */
function watching(seen: Map<Comparison, { true: boolean; false: boolean }>): Evaluator {
  const usual = compiledEvaluator();
  const watches = new WeakMap<PriorityLevel, Watch[]>();
  return {
    forActivity() {
      const evaluate = usual.forActivity();
      return (level, frame) => {
        const own = watches.get(level) ?? watchedComparisons(level);
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

function watchedComparisons({ rules, facts }: PriorityLevel): Watch[] {
  return rules
    .flatMap(({ conditions }) => listComparisons(conditions))
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
