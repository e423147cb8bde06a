import type { ObjectId } from 'bson';
import { newStamps } from '../../db/records';
import type { MemberState } from '../../memberState/memberState';
import type { ActivityHistory, StoredEffects } from '../../records/activities/activityHistory';
import type { Decision } from '../../rules/language/decision';
import type { BatchContext } from '../state/batchContext';
import type { LedgerTarget } from '../state/ledgerTarget';
import type { StoredRecord } from '../state/namedRecords';
import { snapshotsOf, withoutStamps } from '../state/namedRecords';
import type { Work } from '../state/work';
import { keptFacts } from './keptFacts';

/** What was decided about an activity, as far as its history tells. */
export interface Decided {
  state: MemberState;
  activityId: ObjectId;
  status: 'Processed' | 'Error';
  result: ActivityHistory['result'];
  decision?: Decision | undefined;
  effects?: StoredEffects | undefined;
  /** What rules changed of the activity itself, and offers and rewards as applied. */
  changed?: Pick<LedgerTarget, 'hasProducts' | 'activityExt' | 'coupons'> | undefined;
}

/** The history of a processed activity (SPEC "Activity history"). */
export function historyOf(context: BatchContext, work: Work, decided: Decided): ActivityHistory {
  const { state, activityId, status, result, decision, effects, changed } = decided;
  const sold = { lineItems: work.activity.lineItems, products: context.products, lists: context.lists };
  const snapshots = snapshotsOf(context.named, work.activity, changed?.coupons.byLine);
  return {
    // Before the copy (decision 16).
    status,
    ...work.activity,
    ...snapshots,
    ...(changed?.activityExt ? { ext: changed.activityExt } : {}),
    ...(changed?.hasProducts ? { lineItems: withProducts(snapshots.lineItems, context.products) } : {}),
    ...(changed && changed.coupons.applied.length > 0 ? { bestOffers: changed.coupons.applied } : {}),
    ...newStamps(work.author, context.now, activityId),
    memberID: state.doc._id,
    program: state.program._id,
    result,
    // Hundreds of rules that did not match would slow every insert.
    ruleMatch: (decision?.kept ?? []).map((match) => ({ ...match })),
    ...(context.ruleSetVersion === undefined ? {} : { ruleSet: context.ruleSetVersion }),
    ...(decision?.lastFired && status === 'Processed' ? { currentRule: { ...decision.lastFired } } : {}),
    oplogTS: context.now.getTime(),
    ...(decision && context.ruleSetVersion !== undefined ? { factsRead: keptFacts(decision.factsRead, sold) } : {}),
    ...(effects ? { effects } : {}),
  };
}

type Lines = ActivityHistory['lineItems'];

/** Line items with the products that they name, as the action `lookupProducts` leaves them. */
function withProducts(lineItems: Lines, products: ReadonlyMap<string, StoredRecord>): Lines {
  return lineItems.map((item) => {
    const product = products.get(item.itemSKU ?? '');
    return product ? { ...item, product: withoutStamps(product) } : item;
  });
}
