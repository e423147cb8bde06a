import type { ObjectId } from 'bson';
import { Histogram } from 'prom-client';
import { applyCoupons } from '#activities/coupons/applyCoupons';
import { takeReward } from '#activities/coupons/takeReward';
import { RulesTarget } from '#activities/effects/rulesTarget';
import { ActivityChanges } from '#activities/state/activityChanges';
import { answeredMember } from '#activities/state/answeredMember';
import { type BatchContext, enrichActivity, findCoupon, withLocationId } from '#activities/state/batchContext';
import { asksForCoupons, errorsBeforeRules, requireMember, requireProducts } from '#activities/state/checkActivity';
import { addEffective } from '#activities/state/effective';
import { explainedRules } from '#activities/state/explainedRules';
import type { Outcome, PipelineRequest } from '#activities/state/pipelineRequest';
import type { PlanBuilder } from '#activities/state/planBuilder';
import { refusedRules, refusedRulesMessage } from '#activities/state/refusedRules';
import { elapsedMs } from '#base/common/clock';
import { extendInactivity, isActivity } from '#engine/points/ledger/expiry';
import { decide } from '#engine/rules/decide/decide';
import type { DecideInput } from '#engine/rules/decide/decideInput';
import type { CounterUse, Decision } from '#engine/rules/language/decision';
import { changeMember, type MemberState } from '#members/memberState/memberState';
import { reachTiers, settleState } from '#members/memberState/settleState';
import type { Activity } from '#records/activities/activity';
import type { ProcessingError, StoredEffects } from '#records/activities/activityHistory';
import { buildHistory, historyIdFor, recordSubmission } from './buildHistory';

/** Time to evaluate the rules of one activity. Posts that are only evaluated (`persist=false`) count too. */
const ruleEvaluation = new Histogram({
  name: 'loyalty_rule_evaluation_seconds',
  help: 'Time to evaluate the rules of one activity',
  buckets: [0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25],
});

interface Evaluated {
  errors: ProcessingError[];
  changes?: ActivityChanges;
  decision?: Decision;
}

/** Decides a posted activity: member, checks, rules, effects (docs/design/activities.md, steps 3 to 5). */
export async function decidePost(context: BatchContext, builder: PlanBuilder, sent: PipelineRequest): Promise<Outcome> {
  const state = requireMember(context, sent.activity);
  const named = withLocationId(context.named, requireProducts(context, sent.activity));
  const request = { ...sent, activity: withDepth(context, named) };
  const { activityId, submissionId } = historyIdFor(request);
  settleState(state, request.author, context.now);
  const early = errorsBeforeRules(context, state, request.activity);
  const evaluated = early.length > 0 ? { errors: early } : await evaluate(context, builder, state, request, activityId);
  const { errors, changes, decision }: Evaluated = evaluated;
  const status = errors.length > 0 ? 'Error' : 'Processed';
  const result = {
    log: [
      ...mergeNote(context, state, request),
      ...refusedRulesNote(context, state, request),
      ...(changes?.log.shown(status === 'Processed') ?? []),
    ],
    errors,
    data: { ...(status === 'Processed' ? changes?.data : {}), activityId, status },
  };
  const effects = status === 'Processed' ? changes?.effects : undefined;
  const changed = effects && changes;
  builder.histories.push(
    buildHistory(context, request, { state, activityId, status, result, decision, effects, changed }),
  );
  recordSubmission(context, builder, request, submissionId, status);
  builder.failRow(request, errors);
  const touched = effects ? changes?.touchedLots() : [];
  return {
    result,
    member: answeredMember(state, touched),
    ...(request.explain &&
      explainedRules(request, context, state, request.activity, decision ?? noRules, {
        offers: changed && [...changed.coupons.applied, ...changed.coupons.passedOver],
        effects,
      })),
    replayed: false,
  };
}

/**
 * Adds its depth to an occasion: its place in the chain of occasions that caused each other. Other activities stay as
 * they are.
 */
function withDepth({ histories }: BatchContext, activity: Activity): Activity {
  const { occasion } = activity;
  if (!occasion) return activity;
  const before = histories.get(occasion.cause?.toHexString() ?? '')?.occasion?.depth ?? 0;
  return { ...activity, occasion: { ...occasion, depth: before + 1 } };
}

/** The log entry that says that the named member was merged, and that the activity went to the survivor. */
function mergeNote(
  { now }: BatchContext,
  { doc }: MemberState,
  { activity }: PipelineRequest,
): Record<string, unknown>[] {
  const { memberID, type } = activity;
  if (!memberID || memberID.equals(doc._id)) return [];
  return [{ action: 'merged', results: { memberID, mergedInto: doc._id }, time: now, type }];
}

/** The log entry of a program that has rule files but no rule in force. It explains why no rule awarded points. */
function refusedRulesNote(
  { now, unpublishedFolders }: BatchContext,
  { program }: MemberState,
  { activity: { type } }: PipelineRequest,
): Record<string, unknown>[] {
  if (!unpublishedFolders.includes(program.code)) return [];
  const results = { program: program.code, ...refusedRulesMessage(program.code) };
  return [{ action: refusedRules, results, time: now, type }];
}

/**
 * Runs rules and coupons on a copy of the ledger. The copy becomes the member's ledger unless something refuses the
 * activity.
 */
async function evaluate(
  context: BatchContext,
  builder: PlanBuilder,
  state: MemberState,
  request: PipelineRequest,
  activityId: ObjectId,
): Promise<Evaluated> {
  const ledger = state.ledger.fork();
  const { activity, author } = request;
  // This comes before the rules, so that the points they award do not expire by the old date.
  const inactiveOn = isActivity(activity.type) ? extendInactivity(ledger, activity.date) : [];
  const changes = new ActivityChanges({ state, ledger, activity, activityId, context, author });
  // This is an effect even when no date moved, so that a cancel in the same batch sees that the member changed.
  if (inactiveOn.length > 0) changes.effects.inactiveOn = inactiveOn;
  const decision = await decideRules(context, state, request, changes);
  if (decision.errors.length > 0) return { errors: decision.errors, changes, decision };
  const wantsCoupons = asksForCoupons(activity) || changes.coupons.offers.size > 0;
  const refusal = wantsCoupons
    ? changes.change('A coupon', () => applyCoupons(changes) ?? takeReward(changes))
    : undefined;
  const error = refusal ?? changes.addBuiltInMetrics();
  if (error) return { errors: [error], changes, decision };
  state.ledger = ledger;
  changes.acceptOwn();
  if (activity.type === 'Accrual') state.processedAccruals += 1;
  changes.effects.counters = decision.usage.map(storedUse);
  builder.use(decision.usage);
  changes.accept(builder, reachTiers);
  if (inactiveOn.length > 0) addEffective(context, state, { _id: activityId, date: activity.date, inactiveOn });
  if (changes.isEffective()) {
    state.tiers = changes.tiers;
    changeMember(state, request.author, changes.metrics, context.now);
    reachTiers(state, { activity: activityId }, changes.metrics);
  }
  return { errors: [], changes, decision };
}

/** What an activity used of a counter, as its history stores it. */
export function storedUse({ id, what, amount, by, window }: CounterUse): StoredEffects['counters'][number] {
  const { lines, ...limit } = by ?? {};
  return {
    id,
    what,
    amount,
    returned: 0,
    ...limit,
    ...(lines && { lines: [...lines] }),
    ...(window && { at: window.at }),
  };
}

const noRules: Decision = { ruleMatch: [], kept: [], errors: [], usage: [], factsRead: [] };

/** The decision of the org's rules. Without a rule set it is empty. */
export async function decideRules(
  { ruleSet, now, usage, limitWindows, accounts, evaluator, named, lists }: BatchContext,
  { doc, program }: MemberState,
  { activity }: PipelineRequest,
  changes: ActivityChanges,
): Promise<Decision> {
  if (!ruleSet) return noRules;
  const subjects: DecideInput['subjects'] = {
    account: accounts.get(doc._id.toHexString()),
    couponId: (item) => findCoupon(named, item)?.record._id.toHexString(),
  };
  const startedAt = elapsedMs();
  const decision = await decide({
    rules: ruleSet,
    evaluator,
    target: new RulesTarget(changes),
    activity,
    memberId: doc._id,
    program,
    enriched: enrichActivity(named, activity),
    lists,
    now,
    usage,
    windows: limitWindows?.uses,
    subjects,
  });
  ruleEvaluation.observe((elapsedMs() - startedAt) / 1000);
  return decision;
}
