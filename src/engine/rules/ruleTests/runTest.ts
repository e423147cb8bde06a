import { ObjectId } from 'bson';
import { compileParse } from '#base/schema/parse';
import { builtInMetrics } from '#engine/sums/lifetime';
import type { Activity, PostedActivity } from '#records/activities/activity';
import { testActivityShape } from '../check/programScope';
import { decide } from '../decide/decide';
import type { Evaluator } from '../evaluate/evaluator';
import type { RuleSet } from '../evaluate/ruleSet';
import type { Enriched } from '../format/enriched';
import { type KnownProducts, knownProducts, withProductNames } from '../format/productNames';
import type { RuleDefinition, RuleTest } from '../format/rule';
import type { ProgramReferences, RuleReferences } from '../format/ruleReferences';
import { type TestStep, testSteps } from '../format/testSteps';
import type { Decision } from '../language/decision';
import { defaultNow } from '../scenario/scenarioSteps';
import { TestHistory, type TestMoment, testMemberId } from './testHistory';
import { testLists } from './testLists';
import { TestTarget } from './testTarget';
import { TestTiers } from './testTiers';

/** A test and everything that it needs to run. */
export interface TestRun {
  rule: RuleDefinition;
  test: RuleTest;
  /** The rules that take part in the test. */
  rules: RuleSet;
  program: ProgramReferences;
  definitions: RuleReferences;
  evaluator: Evaluator;
}

/** The outcome of one activity of a test. */
export interface StepOutcome {
  step: TestStep;
  decision: Decision;
  target: TestTarget;
}

/**
 * Runs the activities of a test one after the other. Each one reads what the earlier ones changed: balances, metrics,
 * segments, levels, limits and budgets. A failed activity changes nothing. Points never expire and escrows never end.
 */
export async function runTest(run: TestRun): Promise<StepOutcome[]> {
  const past = new TestHistory(run.test, run.program.timezone);
  const outcomes: StepOutcome[] = [];
  let last = run.test.asOf ?? run.rule.effective?.from ?? defaultNow;
  for (const step of testSteps(run.test)) {
    const posted = parseActivity(step.activity);
    last = posted.date ?? last;
    const activity = withDefaults(posted, last);
    const lineItems = withProductNames(activity.lineItems, testProducts(run.test));
    outcomes.push(await runStep(run, { ...step, activity: { ...activity, lineItems } }, past));
  }
  return outcomes;
}

const parseActivity = compileParse(testActivityShape);

async function runStep(run: TestRun, step: TestStep & { activity: Activity }, past: TestHistory): Promise<StepOutcome> {
  const { test, rules, program, definitions, evaluator } = run;
  const { activity } = step;
  const at: TestMoment = { date: activity.date, now: test.asOf ?? activity.date };
  const isReferred = activity.referralCode !== undefined || past.member.referredBy !== undefined;
  const counted = { ...past.sumsAt(at), own: builtInMetrics(activity), isReferred };
  const tiers = new TestTiers(program, past.member, at, past.ladders);
  const target = new TestTarget(program, past.member, at.now, counted, tiers, activity.ext);
  const decision = await decide({
    rules,
    activity,
    memberId: testMemberId,
    program,
    evaluator,
    target,
    enriched: enrichTest(test),
    lists: testLists(test, definitions),
    now: at.now,
    usage: past.counters.usage,
    windows: past.counters.windows,
  });
  if (decision.errors.length === 0) past.keep(activity, at, target, decision);
  return { step, decision, target };
}

/** Fills in the defaults of an activity. */
function withDefaults(posted: PostedActivity, date: Date): Activity {
  const lineItems = (posted.lineItems ?? []).map((item) => ({
    ...item,
    itemAmount: item.itemAmount ?? (item.itemPrice ?? 0) * (item.quantity ?? 0),
  }));
  const sum = lineItems.reduce((total, { itemPrice = 0, quantity = 0 }) => total + itemPrice * quantity, 0);
  return { ...posted, date, lineItems, value: posted.value ?? sum };
}

/** The products of a test whose `_id` is given, by both names: line items may name them by `productId` too. */
function testProducts({ products = [] }: RuleTest): KnownProducts {
  return knownProducts(
    products.flatMap(({ _id, sku }) =>
      typeof _id === 'string' && ObjectId.isValid(_id) ? [{ _id: new ObjectId(_id), sku: String(sku) }] : [],
    ),
  );
}

function enrichTest({ location, partner, products = [] }: RuleTest): Enriched {
  return {
    ...(location ? { location } : {}),
    ...(partner ? { partner } : {}),
    products: new Map(products.map((product) => [String(product.sku), { _id: product.sku, ...product }])),
  };
}
