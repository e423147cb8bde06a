import { changeMember, type MemberState } from '../../memberState/memberState';
import { revokeTiers, settleState } from '../../memberState/settleState';
import { unlessOverflow } from '../../points/pointsOverflow';
import type { Activity } from '../../records/activities/activity';
import type { ActivityHistory, ProcessingError, StoredEffects } from '../../records/activities/activityHistory';
import type { Decision } from '../../rules/language/decision';
import { cancelRefusal, requireOriginal } from '../giveBack/cancelTarget';
import { returnModesOf } from '../giveBack/judgeAwards';
import { planReturn } from '../giveBack/planReturn';
import { returnEffects, returnedOriginal } from '../giveBack/returnEffects';
import { returnScopeOf } from '../giveBack/returnedPart';
import type { ReturnInput, ReturnOutcome } from '../giveBack/returning';
import { awardLogLines } from '../giveBack/toldAwards';
import { answeredMember } from '../state/answeredMember';
import type { BatchContext } from '../state/batchContext';
import { refused } from '../state/checkActivity';
import { explained } from '../state/explained';
import { ActivityChanges } from '../state/ledgerTarget';
import type { PlanBuilder } from '../state/planDraft';
import type { CancelRequest, Outcome, PipelineRequest } from '../state/work';
import { decideRules } from './decidePost';
import { historyIdFor, historyOf, recordSubmission } from './historyOf';

/**
 * Decides a cancellation, whole or partial (docs/design/cancel.md). A refused one writes nothing. Members that are not
 * active are no obstacle: points given wrongly must come back from them too.
 */
export async function decideCancel(
  context: BatchContext,
  builder: PlanBuilder,
  work: PipelineRequest,
  request: CancelRequest,
): Promise<Outcome> {
  const { target, state } = requireOriginal(context, work.activity, request);
  const error = cancelRefusal(context, target, work);
  if (error) return refuse(context, builder, work, state, [error]);
  const part = returnScopeOf(target, request);
  const own = { ...work, activity: { ...work.activity, value: part.value, ...inherited(target, work.activity) } };
  const { activityId, submissionId } = historyIdFor(work);
  const { author } = work;
  settleState(state, author, context.now);
  const ledger = state.ledger.fork();
  const ruled = new ActivityChanges({ state, ledger, activity: own.activity, activityId, context, author });
  const decision = await decideRules(context, state, own, ruled);
  const errors = [...decision.errors, ...ruled.lackOfRoom()];
  if (errors.length > 0) return refuse(context, builder, work, state, errors, decision);
  const verdictOf = part.isWhole ? undefined : await returnModesOf(context, state, { target, part });
  const { totals, awards } = planReturn(target, part, verdictOf);
  const cancel = { target, state, ruled, part, totals };
  const given = returnUnlessOverflow(context, cancel);
  // Whether there is room is known before anything of the member changes.
  if (!given || ruled.lackOfRoom().length > 0) return refuse(context, builder, work, state, [noRoom()]);
  const { effects, lines, issuers } = given;
  state.ledger = ledger;
  builder.use([...given.uses, ...decision.usage]);
  ruled.accept(builder, revokeTiers);
  changeMember(state, author, ruled.metrics, context.now);
  if (part.isWhole && target.type === 'Accrual') state.processedAccruals = Math.max(0, state.processedAccruals - 1);
  revokeTiers(state, { activity: activityId });
  for (const { before, after } of [...issuers, { before: target, after: returnedOriginal(target, part, effects) }]) {
    builder.retarget(before, after, author);
  }
  const status = 'Processed';
  const told = { returnAward: awardLogLines(awards, state), giveBack: [...lines, ...whatStays(target)] };
  const result = {
    log: [...logOf(told, { time: context.now, type: own.activity.type }), ...ruled.log.shown(true)],
    errors: [],
    data: { ...ruled.data, activityId, status },
  };
  builder.histories.push(historyOf(context, own, { state, activityId, status, result, decision }));
  recordSubmission(context, builder, work, submissionId, status);
  return {
    result,
    member: answeredMember(state, lotsOf(effects)),
    ...(work.explain ? { ruleMatch: explained(context, state, own.activity, decision) } : {}),
    replayed: false,
  };
}

/** What was given back; undefined when a sum would be no exact integer. */
function returnUnlessOverflow(context: BatchContext, cancel: ReturnInput): ReturnOutcome | undefined {
  return unlessOverflow<ReturnOutcome | undefined>(
    () => returnEffects(context, cancel),
    () => undefined,
  );
}

function lotsOf({ accrued, burned }: StoredEffects) {
  return [...accrued, ...burned].map(({ lot }) => lot);
}

function noRoom(): ProcessingError {
  return refused(2900, 'The purse would exceed 2^53 - 1 points');
}

/** Entries of the log, by their action. */
function logOf(told: Readonly<Record<string, readonly object[]>>, more: { time: Date; type: string }) {
  return Object.entries(told).flatMap(([action, all]) => all.map((results) => ({ action, results, ...more })));
}

/** What a cancellation does not undo; it says so (docs/design/cancel.md). */
const staying = new Set(['setExt', 'setTier', 'addSegment', 'removeSegment']);

function whatStays({ result }: ActivityHistory) {
  return result.log
    .filter(({ action }) => staying.has(String(action)))
    .map(({ action, results }) => ({ did: 'stays', action, results }));
}

/** A cancellation belongs to the member and, where it says nothing else, the loyalty id of its target. */
function inherited({ _id, memberID, ...target }: ActivityHistory, sent: Activity) {
  const loyaltyID = sent.loyaltyID ?? target.loyaltyID;
  return { originalTxnId: _id, memberID, ...(loyaltyID === undefined ? {} : { loyaltyID }) };
}

function refuse(
  context: BatchContext,
  builder: PlanBuilder,
  work: PipelineRequest,
  state: MemberState,
  errors: ProcessingError[],
  decision?: Decision,
): Outcome {
  if (work.submissionId) builder.refused.push({ id: work.submissionId, errors });
  return {
    result: { log: [], errors, data: { activityId: null, status: 'Error' } },
    member: answeredMember(state),
    ...(decision && work.explain ? { ruleMatch: explained(context, state, work.activity, decision) } : {}),
    replayed: false,
  };
}
