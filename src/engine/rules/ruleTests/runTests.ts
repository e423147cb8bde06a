import { type Message, message } from '#base/common/messages/message';
import { yieldNow } from '#base/common/yielding';
import { derivedId } from '#base/db/records';
import { compiledEvaluator } from '../evaluate/compiledEvaluator';
import type { Evaluator } from '../evaluate/evaluator';
import { indexRules, type RuleSet } from '../evaluate/ruleSet';
import type { RuleDefinition, RuleTest } from '../format/rule';
import type { RuleReferences } from '../format/ruleReferences';
import type { StepExpected } from '../format/scenarioShape';
import { listExpectations } from '../format/testSteps';
import { runTest, type TestRun } from './runTest';
import type { RunScenario } from './scenario';
import { scenarioDifferences } from './scenarioDifferences';
import { listFiredKeys, testDifferences } from './testDifferences';

/** The outcome of one test. It passed when there are no differences. */
export interface TestOutcome {
  rule: RuleDefinition;
  /** Position in the rule's `tests`. */
  index: number;
  test: RuleTest;
  /** The differences between expected and actual results, in words. */
  differences: Message[];
  /** Keys of the rules that fired. */
  fired: string[];
}

/** Number of tests to run between two pauses. */
const testsAtOnce = 20;

/** How tests are run. */
export interface TestOptions {
  evaluator?: Evaluator;
  /** Runs tests with steps. Absent: they fail. */
  runScenario?: RunScenario | undefined;
  /** The rules whose tests run. Absent: all. */
  of?: readonly RuleDefinition[];
}

/**
 * Runs the tests of rules. A test runs its own rule and the rules that it names in `fired` and `notFired`, whatever
 * their status. So a rule added elsewhere never breaks the test. Limits and budgets start unused. The member is new,
 * unless the test describes it. Only the purses and data fields that the test names are compared.
 */
export async function runTests(
  rules: readonly RuleDefinition[],
  definitions: RuleReferences,
  { evaluator = compiledEvaluator(), runScenario, of = rules }: TestOptions = {},
): Promise<TestOutcome[]> {
  const outcomes: TestOutcome[] = [];
  const programs = new Map(definitions.programs.map((program) => [program.code, program]));
  const byKey = rulesByKey(rules);
  for (const rule of of) {
    const program = programs.get(rule.programCode);
    if (!program) continue;
    const sets = new Map<string, RuleSet>();
    for (const [index, test] of (rule.tests ?? []).entries()) {
      if (outcomes.length % testsAtOnce === 0) await yieldNow();
      const named = listExpectations(test).flatMap(({ expect }) => namedIn(expect));
      const keys = [...new Set([ownKey(rule), ...named])].sort();
      const unknown = keys.filter((key) => !byKey.has(`${rule.programCode} ${key}`));
      const known =
        sets.get(keys.join(' ')) ??
        testSet(
          keys.flatMap((key) => byKey.get(`${rule.programCode} ${key}`) ?? []),
          definitions,
        );
      sets.set(keys.join(' '), known);
      const outcome =
        unknown.length > 0
          ? { differences: unknown.map((key) => message('rules.noRuleWithKey', { key })), fired: [] }
          : await scenarioOutcomes({ rule, test, rules: known, program, definitions, evaluator }, runScenario);
      outcomes.push({ rule, index, test, ...outcome });
    }
  }
  return outcomes;
}

async function scenarioOutcomes(run: TestRun, runScenario: RunScenario | undefined) {
  if (run.test.steps) return runSteps(run, runScenario);
  const steps = await runTest(run);
  const fired = [...new Set(steps.flatMap(({ decision }) => listFiredKeys(decision)))];
  return { differences: testDifferences(run.test, steps, run.rules.rules), fired };
}

async function runSteps(run: TestRun, runScenario: RunScenario | undefined) {
  if (!runScenario || !run.program.records) {
    return { differences: [message('ruleTests.needsDefinitions')], fired: [] };
  }
  const stepOutcomes = await runScenario(run);
  const fired = [...new Set(stepOutcomes.flatMap((step) => step.fired))];
  return { differences: scenarioDifferences(run.test, stepOutcomes, run.rules.rules), fired };
}

/** The keys of rules that an expectation names. */
function namedIn({ fired = [], notFired = [], returned = {} }: StepExpected): string[] {
  return [...fired, ...notFired, ...Object.keys(returned)];
}

/** The key by which tests name a rule. All rows of a table have the key of the table. */
function ownKey({ key, row }: RuleDefinition): string {
  return row?.table ?? key;
}

/** The rules by program code and key. The key of a table names the rules of all its rows. */
function rulesByKey(rules: readonly RuleDefinition[]): Map<string, RuleDefinition[]> {
  const found = new Map<string, RuleDefinition[]>();
  const add = (key: string, rule: RuleDefinition) => {
    const known = found.get(key);
    if (known) known.push(rule);
    else found.set(key, [rule]);
  };
  for (const rule of rules) {
    add(`${rule.programCode} ${rule.key}`, rule);
    if (rule.row) add(`${rule.programCode} ${rule.row.table}`, rule);
  }
  return found;
}

function testSet(taking: readonly RuleDefinition[], { lookupTables }: RuleReferences): RuleSet {
  const rules = [...new Set(taking)].map((each) => {
    return { ...each, status: 'active' as const, version: 1, _id: derivedId('test', each.key) };
  });
  return indexRules(rules, lookupTables);
}
