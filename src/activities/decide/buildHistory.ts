import type { ObjectId } from 'bson';
import type { ActivityChanges } from '#activities/state/activityChanges';
import { type BatchContext, type StoredRecord, takeSnapshots, withoutStamps } from '#activities/state/batchContext';
import type { PipelineRequest } from '#activities/state/pipelineRequest';
import type { PlanBuilder } from '#activities/state/planBuilder';
import { newStamps } from '#base/db/records';
import { eligibleBy } from '#engine/rules/evaluate/eligible';
import { noLists, type ResolvedLists } from '#engine/rules/evaluate/resolvedLists';
import { linesText } from '#engine/rules/explain/linesText';
import { snapshotParams } from '#engine/rules/explain/snapshotParams';
import type { Enriched } from '#engine/rules/format/enriched';
import { recordsInHistory } from '#engine/rules/format/isInHistory';
import type { Decision, FactRead } from '#engine/rules/language/decision';
import type { MemberState } from '#members/memberState/memberState';
import type { LineItem } from '#records/activities/activity';
import type { ActivityHistory, StoredEffects } from '#records/activities/activityHistory';

/** What was decided about an activity. Its history stores it. */
interface Decided {
  state: MemberState;
  activityId: ObjectId;
  status: 'Processed' | 'Error';
  result: ActivityHistory['result'];
  decision?: Decision | undefined;
  effects?: StoredEffects | undefined;
  /** The changes that rules made to the activity itself, and the offers and rewards applied. */
  changed?: Pick<ActivityChanges, 'hasProducts' | 'activityExt' | 'coupons'> | undefined;
}

/** The history of a processed activity (SPEC "Activity history"). */
export function buildHistory(context: BatchContext, request: PipelineRequest, decided: Decided): ActivityHistory {
  const { state, activityId, status, result, decision, effects, changed } = decided;
  const lines = { lineItems: request.activity.lineItems, products: context.named.products.bySku, lists: context.lists };
  const account = context.accounts.get(state.doc._id.toHexString());
  const snapshots = takeSnapshots(context.named, request.activity, changed?.coupons.byLine);
  return {
    // A field of its own comes before the copy: this makes the object much faster to create (decision 16).
    status,
    ...request.activity,
    ...snapshots,
    ...(changed?.activityExt ? { ext: changed.activityExt } : {}),
    ...(changed?.hasProducts ? { lineItems: withProducts(snapshots.lineItems, lines.products) } : {}),
    ...(changed && changed.coupons.applied.length > 0 ? { bestOffers: changed.coupons.applied } : {}),
    ...newStamps(request.author, context.now, activityId),
    memberID: state.doc._id,
    program: state.program._id,
    result,
    // Only some matches are stored: hundreds of rules that did not match would slow every insert.
    ruleMatch: (decision?.kept ?? []).map((match) => ({ ...match })),
    ...(context.ruleSetVersion === undefined ? {} : { ruleSet: context.ruleSetVersion }),
    ...(decision?.lastFired && status === 'Processed' ? { currentRule: { ...decision.lastFired } } : {}),
    oplogTS: context.now.getTime(),
    ...(decision && context.ruleSetVersion !== undefined
      ? { factsRead: takeFactSnapshot(decision.factsRead, lines) }
      : {}),
    ...(effects ? { effects } : {}),
    ...(account ? { account } : {}),
  };
}

type Lines = ActivityHistory['lineItems'];

/** Line items with their products, as the action `lookupProducts` adds them. */
function withProducts(lineItems: Lines, products: ReadonlyMap<string, StoredRecord>): Lines {
  return lineItems.map((item) => {
    const product = products.get(item.itemSKU ?? '');
    return product ? { ...item, product: withoutStamps(product) } : item;
  });
}

/**
 * Limits of a fact snapshot: its facts, the characters of a value as JSON, and the elements that are kept of a longer
 * list.
 */
const limits = { factsMax: 200, valueMax: 1000, elementsMax: 20 } as const;

/**
 * The fact snapshot of a history, from which its decision is explained later. A value that is too long is replaced by
 * `cut: true`; of a list, the first elements are kept as well. A fact without a value has neither `value` nor `cut`.
 */
export function takeFactSnapshot(reads: readonly FactRead[], lines: RuleLines = noLines): Record<string, unknown>[] {
  return reads
    .filter(({ fact }) => !recordsInHistory.has(fact))
    .slice(0, limits.factsMax)
    .map(({ fact, params, value, ...read }) => ({
      fact,
      ...read,
      ...(params && snapshotParams(params)),
      ...shortValue(value),
      ...(lineFacts.has(fact) ? countedLines(lines, params) : {}),
    }));
}

/** The line items of an activity, with the products and lists that rules saw. */
interface RuleLines {
  lineItems: readonly LineItem[];
  products: Enriched['products'];
  lists: ResolvedLists;
}

const noLines: RuleLines = { lineItems: [], products: new Map(), lists: noLists };

/**
 * Facts that are sums over line items. The snapshot stores which lines counted, so that a later return of lines can be
 * decided.
 */
const lineFacts: ReadonlySet<string> = new Set(['eligibleAmount', 'eligibleQuantity']);

function countedLines({ lineItems, products, lists }: RuleLines, params: FactRead['params']): { lines?: string } {
  if (lineItems.length === 0) return {};
  const isEligible = eligibleBy({ products }, lists, params);
  const lines = linesText(lineItems.flatMap((item, line) => (isEligible(item) ? [line] : [])));
  return lines.length <= limits.valueMax ? { lines } : {};
}

function shortValue(value: unknown): Record<string, unknown> {
  if (value === undefined) return {};
  if (isShort(value)) return { value };
  const first = Array.isArray(value) ? value.slice(0, limits.elementsMax) : undefined;
  return { ...(first && isShort(first) ? { value: first } : {}), cut: true };
}

function isShort(value: unknown): boolean {
  const isText = typeof value === 'string';
  if (!isText && (typeof value !== 'object' || value === null)) return true;
  return (isText ? value : JSON.stringify(value)).length <= limits.valueMax;
}

/** The id of a request's history, and of its submission when it has a key. */
export function historyIdFor({ historyId, key }: PipelineRequest): { activityId: ObjectId; submissionId?: ObjectId } {
  return key ? { activityId: historyId, submissionId: historyId } : { activityId: historyId };
}

/** Plans the final status of a request's submission. For a synchronous request with a key it plans a new submission. */
export function recordSubmission(
  context: BatchContext,
  builder: PlanBuilder,
  request: PipelineRequest,
  submissionId: ObjectId | undefined,
  status: 'Processed' | 'Error',
): void {
  if (request.submissionId) {
    builder.finished[status].push(request.submissionId);
    return;
  }
  if (!request.key || !submissionId) return;
  const { key, hash, expiresAt } = request.key;
  const replaced = context.replaceable?.get(key);
  if (replaced) builder.replaced.set(replaced._id.toHexString(), replaced._id);
  builder.submissions.push({
    key,
    hash,
    status,
    acceptedAt: context.now,
    attempts: 0,
    ...newStamps(request.author, context.now, submissionId),
    ...(expiresAt ? { expiresAt } : {}),
  });
}
