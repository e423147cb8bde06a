import { awardLogLines } from '#activities/returns/awardLogLines';
import { returnedUses } from '#activities/returns/counterReturns';
import { decideReturnModes } from '#activities/returns/decideReturnModes';
import { decideReturnScope } from '#activities/returns/decideReturnScope';
import { planReturn } from '#activities/returns/planReturn';
import { cancelRefusal, requireOriginal } from '#activities/returns/requireOriginal';
import { returnEffects, returnedOriginal } from '#activities/returns/returnEffects';
import type { ReturnInput, ReturnOutcome } from '#activities/returns/returnInput';
import { ActivityChanges } from '#activities/state/activityChanges';
import { answeredMember } from '#activities/state/answeredMember';
import { type BatchContext, withLocationId } from '#activities/state/batchContext';
import { refused, withProducts } from '#activities/state/checkActivity';
import { removeEffective } from '#activities/state/effective';
import { explainedRules } from '#activities/state/explainedRules';
import type { CancelRequest, Outcome, PipelineRequest } from '#activities/state/pipelineRequest';
import type { PlanBuilder } from '#activities/state/planBuilder';
import { message } from '#base/common/messages/message';
import { unlessOverflow } from '#engine/points/pointsOverflow';
import { findActionDefinition } from '#engine/rules/actions/list';
import type { Decision } from '#engine/rules/language/decision';
import { changeMember, type MemberState } from '#members/memberState/memberState';
import { revokeTiers, settleState } from '#members/memberState/settleState';
import type { Activity } from '#records/activities/activity';
import type { ActivityHistory, ProcessingError, StoredEffects } from '#records/activities/activityHistory';
import { buildHistory, historyIdFor, recordSubmission } from './buildHistory';
import { decideRules, storedUse } from './decidePost';

/**
 * Decides a cancellation, whole or partial (docs/design/cancel.md). A refused one writes nothing. Members that are not
 * active do not prevent it: points that were given wrongly must come back from them too.
 */
export async function decideCancel(
  context: BatchContext,
  builder: PlanBuilder,
  request: PipelineRequest,
  cancel: CancelRequest,
): Promise<Outcome> {
  const { original, state } = requireOriginal(context, request.activity, cancel);
  const error = cancelRefusal(context, original, request);
  if (error) return refuse(context, builder, request, state, [error]);
  const part = decideReturnScope(original, cancel);
  const cancellation = {
    ...request,
    activity: cancellationActivity(original, withRecordIds(context, request), part.value),
  };
  const { activityId, submissionId } = historyIdFor(request);
  const { author } = request;
  settleState(state, author, context.now);
  const ledger = state.ledger.fork();
  const changes = new ActivityChanges({ state, ledger, activity: cancellation.activity, activityId, context, author });
  const decision = await decideRules(context, state, cancellation, changes);
  const errors = [...decision.errors, ...changes.overflowErrors()];
  if (errors.length > 0) return refuse(context, builder, request, state, errors, decision);
  const returnModeOf = part.isWhole ? undefined : await decideReturnModes(context, state, { original, part });
  const { totals, awards } = planReturn(original, part, returnModeOf);
  const returned = returnUnlessOverflow(context, { original, state, changes, part, totals, returnModeOf });
  // An overflow is found here, before anything of the member changes.
  if (!returned || changes.overflowErrors().length > 0) return refuse(context, builder, request, state, [purseFull()]);
  const { effects, lines, issuers } = returned;
  if (part.isWhole) removeEffective(context, state, original._id);
  state.ledger = ledger;
  builder.use([...returned.uses, ...decision.usage]);
  changes.accept(builder, revokeTiers);
  changeMember(state, author, changes.metrics, context.now);
  if (part.isWhole && original.type === 'Accrual') state.processedAccruals = Math.max(0, state.processedAccruals - 1);
  revokeTiers(state, { activity: activityId });
  for (const { before, after } of issuers) builder.updateOriginal(before, after, author);
  builder.updateOriginal(original, returnedOriginal(original, part, effects), author);
  const actions = { returnAward: awardLogLines(awards, state), giveBack: [...lines, ...actionsNotUndone(original)] };
  const result = {
    log: [...logEntries(actions, { time: context.now, type: cancellation.activity.type }), ...changes.log.shown(true)],
    errors: [],
    data: { ...changes.data, activityId, status: 'Processed' as const },
  };
  const history = buildHistory(context, cancellation, {
    state,
    activityId,
    status: result.data.status,
    result,
    decision,
  });
  builder.histories.push({ ...history, ...returnedUses(original, part, effects), ...ruleCounts(decision, changes) });
  builder.cancels.set(activityId.toHexString(), { original: original._id, isWhole: part.isWhole });
  recordSubmission(context, builder, request, submissionId, result.data.status);
  return {
    result,
    member: answeredMember(state, lotIds(effects)),
    ...(request.explain && explainedRules(request, context, state, cancellation.activity, decision)),
    replayed: false,
  };
}

/** What the rules of a cancellation counted, when it has such rules. */
function ruleCounts({ ruleMatch, usage }: Decision, { effects }: ActivityChanges): Pick<ActivityHistory, 'ruleCounts'> {
  if (ruleMatch.length === 0) return {};
  return { ruleCounts: { metrics: effects.metrics, counters: usage.map(storedUse) } };
}

/** The cancellation as sent, with the ids of the records that it names. */
function withRecordIds({ named }: BatchContext, { activity }: PipelineRequest) {
  return withProducts(named, withLocationId(named, activity));
}

/** What was given back; undefined when a sum would not be an exact integer. */
function returnUnlessOverflow(context: BatchContext, cancel: ReturnInput): ReturnOutcome | undefined {
  return unlessOverflow<ReturnOutcome | undefined>(
    () => returnEffects(context, cancel),
    () => undefined,
  );
}

function lotIds({ accrued, burned }: StoredEffects) {
  return [...accrued, ...burned].map(({ lot }) => lot);
}

function purseFull(): ProcessingError {
  return refused(2900, message('points.purseFull'));
}

/** Entries of the log, by their action. */
function logEntries(actions: Readonly<Record<string, readonly object[]>>, more: { time: Date; type: string }) {
  return Object.entries(actions).flatMap(([action, all]) => all.map((results) => ({ action, results, ...more })));
}

/** Log entries for the actions that a cancellation does not undo (docs/design/cancel.md). */
function actionsNotUndone({ result }: ActivityHistory) {
  return result.log
    .filter(({ action }) => findActionDefinition(String(action))?.onCancel === 'stays')
    .map(({ action, results }) => ({ did: 'stays', action, results }));
}

/**
 * The cancellation as it is recorded: for the member of the original. Without a loyalty id of its own it has that of
 * the original.
 */
function cancellationActivity(
  { _id, memberID, ...original }: ActivityHistory,
  sent: Activity,
  value: number,
): Activity {
  const loyaltyID = sent.loyaltyID ?? original.loyaltyID;
  return { ...sent, value, originalTxnId: _id, memberID, ...(loyaltyID === undefined ? {} : { loyaltyID }) };
}

function refuse(
  context: BatchContext,
  builder: PlanBuilder,
  request: PipelineRequest,
  state: MemberState,
  errors: ProcessingError[],
  decision?: Decision,
): Outcome {
  builder.refuse(request, errors);
  return {
    result: { log: [], errors, data: { activityId: null, status: 'Error' } },
    member: answeredMember(state),
    ...(request.explain && decision && explainedRules(request, context, state, request.activity, decision)),
    replayed: false,
  };
}
