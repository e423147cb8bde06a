import { isDeepStrictEqual } from 'node:util';
import { ObjectId } from 'bson';
import type { Activity, PostedActivity } from '../activities/activity';
import { builtInMetrics } from '../activities/builtInMetrics';
import { derivedId } from '../db/derivedId';
import { compileParse } from '../schema/parse';
import { compiledEvaluator } from './compiledEvaluator';
import { decide } from './decide';
import type { Decision } from './decision';
import type { Definitions, ProgramDefinition } from './definitions';
import type { Enriched } from './enriched';
import type { Evaluator } from './evaluate';
import { pause } from './pause';
import { testActivityShape } from './programScope';
import type { ResolvedLists } from './resolvedLists';
import type { RuleDraft, RuleTest } from './rule';
import { indexRules } from './ruleSet';
import { TestTarget } from './testTarget';

/** What came of one test; it passed when there are no differences. */
export interface TestOutcome {
  rule: RuleDraft;
  /** Position in the rule's `tests`. */
  index: number;
  test: RuleTest;
  /** What was expected and what came instead, in words. */
  differences: string[];
}

/** Tests run without a pause. */
const testsAtOnce = 20;

/** The time of tests that name none and whose rule has no `effective.from`: results never depend on today. */
const defaultNow = new Date('2026-01-01T12:00:00.000Z');

/**
 * Runs the tests of rules. A test runs its own rule together with the rules that it names in `fired` and `notFired`,
 * whatever their status, so that a rule added elsewhere never breaks it. Limits and budgets are unused, the member is
 * new unless described, and of points and data only what is named is compared.
 */
export async function runTests(
  rules: readonly RuleDraft[],
  definitions: Definitions,
  evaluator: Evaluator = compiledEvaluator(),
): Promise<TestOutcome[]> {
  const outcomes: TestOutcome[] = [];
  const programs = new Map(definitions.programs.map((program) => [program.code, program]));
  const byKey = new Map(rules.map((rule) => [`${rule.programCode} ${rule.key}`, rule]));
  for (const rule of rules) {
    const program = programs.get(rule.programCode);
    if (!program) continue;
    for (const [index, test] of (rule.tests ?? []).entries()) {
      if (outcomes.length % testsAtOnce === 0) await pause();
      const { fired = [], notFired = [] } = test.expect;
      const named = [...new Set([rule.key, ...fired, ...notFired])].map(
        (key) => [key, byKey.get(`${rule.programCode} ${key}`)] as const,
      );
      const unknown = named.filter(([, each]) => !each).map(([key]) => `no rule has the key "${key}"`);
      const taking = named.flatMap(([, each]) => each ?? []);
      const differences =
        unknown.length > 0 ? unknown : await runTest({ rule, test, taking, program, definitions, evaluator });
      outcomes.push({ rule, index, test, differences });
    }
  }
  return outcomes;
}

interface TestRun {
  rule: RuleDraft;
  test: RuleTest;
  /** The rules that take part. */
  taking: readonly RuleDraft[];
  program: ProgramDefinition;
  definitions: Definitions;
  evaluator: Evaluator;
}

async function runTest({ rule, test, taking, program, definitions, evaluator }: TestRun): Promise<string[]> {
  const posted = parseActivity(test.activity);
  const date = posted.date ?? test.asOf ?? rule.effective?.from ?? defaultNow;
  const now = test.asOf ?? date;
  const activity = withDefaults(posted, date);
  const isReferred = activity.referralCode !== undefined || test.member?.referredBy !== undefined;
  const counted = { before: test.aggregates, own: builtInMetrics(activity), isReferred };
  const target = new TestTarget(program, test.member ?? {}, now, counted, activity.ext);
  const set = indexRules(
    taking.map((each) => ({ ...each, status: 'active', version: 1, _id: derivedId('test', each.key) })),
  );
  const decision = await decide({
    rules: set,
    activity,
    memberId: testMemberId,
    program,
    enriched: enrichedOf(test),
    lists: listsOf(test, definitions),
    now,
    usage: new Map(),
    evaluator,
    target,
  });
  return differencesOf(test, decision, target);
}

const parseActivity = compileParse(testActivityShape);
const testMemberId = new ObjectId('000000000000000000000001');

/** The defaults of an activity (DESIGN 7, step 1). */
function withDefaults(posted: PostedActivity, date: Date): Activity {
  const lineItems = (posted.lineItems ?? []).map((item) => ({
    ...item,
    itemAmount: item.itemAmount ?? (item.itemPrice ?? 0) * (item.quantity ?? 0),
  }));
  const sum = lineItems.reduce((total, { itemPrice = 0, quantity = 0 }) => total + itemPrice * quantity, 0);
  return { ...posted, date, lineItems, value: posted.value ?? sum };
}

function enrichedOf({ location, partner, products = [] }: RuleTest): Enriched {
  return {
    ...(location ? { location } : {}),
    ...(partner ? { partner } : {}),
    products: new Map(products.map((product) => [String(product.sku), { _id: product.sku, ...product }])),
  };
}

/** In tests the records of a list are known by the texts that the test gives. */
function listsOf({ namedLists = {} }: RuleTest, definitions: Definitions): ResolvedLists {
  const byName = new Map(Object.entries(namedLists).map(([name, texts]) => [name, new Set(texts)]));
  const none: ReadonlySet<string> = new Set();
  return {
    byName,
    byId: new Map((definitions.namedLists ?? []).map(({ id, name }) => [id, byName.get(name) ?? none])),
  };
}

function differencesOf({ expect }: RuleTest, decision: Decision, target: TestTarget): string[] {
  const failed = decision.errors.length > 0;
  const fired = new Set(decision.ruleMatch.filter((match) => match.fired).map(({ key }) => key));
  const points = Object.entries(expect.points ?? {}).flatMap(([purse, wanted]) => {
    const got = failed ? 0 : target.change(purse);
    return got === wanted ? [] : [`expected ${wanted} ${purse}, got ${got}`];
  });
  const missed = (expect.fired ?? [])
    .filter((key) => !fired.has(key))
    .map((key) => `"${key}" did not fire${reasonOf(key, decision)}`);
  const extra = (expect.notFired ?? []).filter((key) => fired.has(key)).map((key) => `"${key}" fired`);
  const data = Object.entries(expect.data ?? {}).flatMap(([name, wanted]) => {
    const got = failed ? undefined : target.data[name];
    return isDeepStrictEqual(got, wanted) ? [] : [`expected data ${name} ${textOf(wanted)}, got ${textOf(got)}`];
  });
  return [...errorDifference(expect.error, decision), ...points, ...missed, ...extra, ...data];
}

function errorDifference(wanted: number | string | undefined, { errors }: Decision): string[] {
  const got = errors.map(({ code, message }) => `${code} ${message}`).join(', ') || 'none';
  if (wanted === undefined) return errors.length === 0 ? [] : [`unexpected error ${got}`];
  const isMet = errors.some(({ code, message }) => code === wanted || message === wanted);
  return isMet ? [] : [`expected error ${wanted}, got ${got}`];
}

function reasonOf(key: string, { ruleMatch }: Decision): string {
  const match = ruleMatch.find((each) => each.key === key);
  if (!match) return ' (it is for other activity types)';
  const { reason, failedCondition } = match;
  if (!failedCondition) return reason ? ` (${reason})` : '';
  const { fact, path, operator, expected, actual } = failedCondition;
  return ` (${fact}${path ? ` ${path}` : ''} ${operator} ${textOf(expected)}, but it is ${textOf(actual)})`;
}

function textOf(value: unknown): string {
  return JSON.stringify(value) ?? 'missing';
}
