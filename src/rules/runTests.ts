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
import { indexRules, type RuleSet } from './ruleSet';
import { TestTarget } from './testTarget';

/** What came of one test; it passed when there are no differences. */
export interface TestOutcome {
  rule: RuleDraft;
  /** Position in the rule's `tests`. */
  index: number;
  test: RuleTest;
  /** What was expected and what came instead, in words. */
  differences: string[];
  /** Keys of the rules that fired. */
  fired: string[];
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
  const byKey = rulesByKey(rules);
  for (const rule of rules) {
    const program = programs.get(rule.programCode);
    if (!program) continue;
    const sets = new Map<string, RuleSet>();
    for (const [index, test] of (rule.tests ?? []).entries()) {
      if (outcomes.length % testsAtOnce === 0) await pause();
      const { fired = [], notFired = [] } = test.expect;
      const keys = [...new Set([ownKey(rule), ...fired, ...notFired])].sort();
      const unknown = keys.filter((key) => !byKey.has(`${rule.programCode} ${key}`));
      const known =
        sets.get(keys.join(' ')) ?? testSet(keys.flatMap((key) => byKey.get(`${rule.programCode} ${key}`) ?? []));
      sets.set(keys.join(' '), known);
      const came =
        unknown.length > 0
          ? { differences: unknown.map((key) => `no rule has the key "${key}"`), fired: [] }
          : await runTest({ rule, test, rules: known, program, definitions, evaluator });
      outcomes.push({ rule, index, test, ...came });
    }
  }
  return outcomes;
}

/** The key that tests name a rule by; all rows of a table are one. */
function ownKey({ key, row }: RuleDraft): string {
  return row?.table ?? key;
}

/** The rules that a key names in the tests of a program: one, or the rows of a table. */
function rulesByKey(rules: readonly RuleDraft[]): Map<string, RuleDraft[]> {
  const found = new Map<string, RuleDraft[]>();
  const add = (key: string, rule: RuleDraft) => {
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

function testSet(taking: readonly RuleDraft[]): RuleSet {
  const rules = [...new Set(taking)];
  return indexRules(rules.map((each) => ({ ...each, status: 'active', version: 1, _id: derivedId('test', each.key) })));
}

interface TestRun {
  rule: RuleDraft;
  test: RuleTest;
  /** Those that take part. */
  rules: RuleSet;
  program: ProgramDefinition;
  definitions: Definitions;
  evaluator: Evaluator;
}

async function runTest({ rule, test, rules, program, definitions, evaluator }: TestRun) {
  const posted = parseActivity(test.activity);
  const date = posted.date ?? test.asOf ?? rule.effective?.from ?? defaultNow;
  const now = test.asOf ?? date;
  const activity = withDefaults(posted, date);
  const isReferred = activity.referralCode !== undefined || test.member?.referredBy !== undefined;
  const counted = { before: test.aggregates, own: builtInMetrics(activity), isReferred };
  const target = new TestTarget(program, test.member ?? {}, now, counted, activity.ext);
  const decision = await decide({
    rules,
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
  const fired = decision.ruleMatch.flatMap((match) => (match.fired ? [match.key] : []));
  return { differences: differencesOf(test, decision, target, rules), fired };
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

function differencesOf({ expect }: RuleTest, decision: Decision, target: TestTarget, { rules }: RuleSet): string[] {
  const failed = decision.errors.length > 0;
  const firedKeys = new Set(decision.ruleMatch.filter((match) => match.fired).map(({ key }) => key));
  const fired = new Set(rules.filter(({ key }) => firedKeys.has(key)).flatMap((rule) => [rule.key, ownKey(rule)]));
  const points = Object.entries(expect.points ?? {}).flatMap(([purse, wanted]) => {
    const got = failed ? 0 : target.change(purse);
    return got === wanted ? [] : [`expected ${wanted} ${purse}, got ${got}`];
  });
  const missed = (expect.fired ?? [])
    .filter((key) => !fired.has(key))
    .map(
      (key) =>
        `"${key}" did not fire${rules.some((rule) => rule.row?.table === key) ? ' (no row of it)' : reasonOf(key, decision)}`,
    );
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
