import type { ObjectId } from 'bson';
import { changeMember, type MemberState } from '../../memberState/memberState';
import { reachTiers, settleState } from '../../memberState/settleState';
import { extendInactivity, isActivity } from '../../points/ledger/expiry';
import type { ProcessingError } from '../../records/activities/activityHistory';
import { decide } from '../../rules/decide/decide';
import type { Decision } from '../../rules/language/decision';
import { applyCoupons } from '../coupons/applyCoupons';
import { RulesTarget } from '../effects/rulesTarget';
import { answeredMember } from '../state/answeredMember';
import { type BatchContext, enrichedOf } from '../state/batchContext';
import { errorsBeforeRules, requireMember } from '../state/checkActivity';
import { explained } from '../state/explained';
import { ActivityChanges } from '../state/ledgerTarget';
import type { PlanBuilder } from '../state/planDraft';
import type { Outcome, PipelineRequest } from '../state/work';
import { historyIdFor, historyOf, recordSubmission } from './historyOf';

interface Evaluated {
  errors: ProcessingError[];
  target?: ActivityChanges;
  decision?: Decision;
}

/** Decides a posted activity: member, checks, rules, effects (docs/design/activities.md, steps 3 to 5). */
export async function decidePost(context: BatchContext, builder: PlanBuilder, work: PipelineRequest): Promise<Outcome> {
  const state = requireMember(context, work.activity);
  const { activityId, submissionId } = historyIdFor(work);
  settleState(state, work.author, context.now);
  const early = errorsBeforeRules(context, state, work.activity);
  const evaluated = early.length > 0 ? { errors: early } : await evaluate(context, builder, state, work, activityId);
  const { errors, target, decision }: Evaluated = evaluated;
  const status = errors.length > 0 ? 'Error' : 'Processed';
  const result = {
    log: [...mergeNote(context, state, work), ...(target?.log.shown(status === 'Processed') ?? [])],
    errors,
    data: { ...(status === 'Processed' ? target?.data : {}), activityId, status },
  };
  const effects = status === 'Processed' ? target?.effects : undefined;
  const changed = effects && target;
  builder.histories.push(historyOf(context, work, { state, activityId, status, result, decision, effects, changed }));
  recordSubmission(context, builder, work, submissionId, status);
  const touched = effects ? target?.touchedLots() : [];
  return {
    result,
    member: answeredMember(state, touched),
    ...(work.explain ? { ruleMatch: explained(context, state, work.activity, decision ?? noRules) } : {}),
    replayed: false,
  };
}

/** Says that the member named was merged and its survivor took its place. */
function mergeNote(
  { now }: BatchContext,
  { doc }: MemberState,
  { activity }: PipelineRequest,
): Record<string, unknown>[] {
  const { memberID, type } = activity;
  if (!memberID || memberID.equals(doc._id)) return [];
  return [{ action: 'merged', results: { memberID, mergedInto: doc._id }, time: now, type }];
}

/** Lets the rules decide on a copy of the ledger, and keeps the copy when nothing refused. */
async function evaluate(
  context: BatchContext,
  builder: PlanBuilder,
  state: MemberState,
  work: PipelineRequest,
  activityId: ObjectId,
): Promise<Evaluated> {
  const ledger = state.ledger.fork();
  const { activity, author } = work;
  // First, so that what it awards does not expire by the old date.
  const isActive = isActivity(activity.type) && extendInactivity(ledger, activity.date);
  const target = new ActivityChanges({ state, ledger, activity, activityId, context, author });
  const decision = await decideRules(context, state, work, target);
  if (decision.errors.length > 0) return { errors: decision.errors, target, decision };
  const error = target.change('A coupon', () => applyCoupons(target)) ?? target.count();
  if (error) return { errors: [error], target, decision };
  state.ledger = ledger;
  target.acceptOwn();
  if (activity.type === 'Accrual') state.processedAccruals += 1;
  target.effects.counters = decision.usage.map(({ id, what, amount }) => ({ id, what, amount, returned: 0 }));
  builder.use(decision.usage);
  target.accept(builder, reachTiers);
  if (isActive || target.isEffective()) {
    state.tiers = target.tiers;
    changeMember(state, work.author, target.metrics, context.now);
    reachTiers(state, { activity: activityId });
  }
  return { errors: [], target, decision };
}

const noRules: Decision = { ruleMatch: [], kept: [], errors: [], usage: [], factsRead: [] };

/** What the rules of the org decide; without a rule set none applies. */
export async function decideRules(
  { ruleSet, now, usage, evaluator, named, products, lists }: BatchContext,
  { doc, program }: MemberState,
  { activity }: PipelineRequest,
  target: ActivityChanges,
): Promise<Decision> {
  if (!ruleSet) return noRules;
  const enriched = { ...enrichedOf(named, activity), products };
  const known = { activity, memberId: doc._id, program, enriched, lists, now, usage };
  return decide({ rules: ruleSet, evaluator, target: new RulesTarget(target), ...known });
}
