import type { ObjectId } from 'bson';
import type { ClientSession } from 'mongoose';
import { invalidField, notFound } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { collectionOf } from '#base/db/collections';
import { updateOperators, updateStamps } from '#base/db/records';
import { GuardFailed, type InCommit, inTransaction, isTransient, withRetries } from '#base/db/transaction';
import type { DocOf } from '#base/schema/resource';
import { PointsOverflow } from '#engine/points/pointsOverflow';
import { audit } from '#platform/audit/audit';
import type { Auditor } from '#platform/audit/auditor';
import type { Infrastructure } from '#platform/infrastructure/infrastructure';
import { toMachineClock } from '#platform/orgs/orgClock';
import type { OrgVersions } from '#platform/orgs/orgVersions';
import { serializedPerOrg } from '#platform/orgs/serializedPerOrg';
import { accrualItemResource } from '#records/points/accrualItem';
import { commitLedger } from './commitLedger';
import { itemChange } from './itemChange';
import { changeMember, ledgerChange, type MemberState } from './memberState';
import { openForChange } from './openForChange';
import { settleState } from './settleState';

/** The member to change, and an accrual item to load even when it is spent. */
export interface ManualChange {
  member: ObjectId;
  /** What happens to the item, in the word of the audit log. */
  action: 'create' | 'update' | 'delete';
  item?: ObjectId;
  /** The `updatedAt` of the item when its change was checked. If the item changed since, this change fails. */
  asOf?: Date;
}

/** The item that was changed by hand, and its fields that are not part of the ledger. Undefined fields are removed. */
export interface ChangedItem {
  item: ObjectId;
  fields?: object;
}

type AccrualItem = DocOf<typeof accrualItemResource>;

/**
 * Changes a member's ledger without an activity, in one transaction guarded by the member's version. The member is
 * settled first. The audit log gets the item before and after. For a merged member it changes the survivor's ledger.
 * @returns the item after the change
 * @throws ServiceError 1500 when the member is unknown, 1200 when a sum would leave the exact integers; GuardFailed
 *   when the item changed after `asOf`; errors of `change`
 */
export async function adjustMember(
  { db, clock, ruleSets }: Pick<Infrastructure, 'db' | 'clock' | 'ruleSets'>,
  author: Auditor & { versions?: OrgVersions },
  { member, action, item, asOf }: ManualChange,
  change: (state: MemberState) => ChangedItem,
  inCommit?: InCommit<AccrualItem>,
): Promise<AccrualItem> {
  const { org } = author;
  const items = collectionOf(db, accrualItemResource);
  const stale = new GuardFailed('the item changed meanwhile');
  const attempt = async (session: ClientSession) => {
    const now = clock.now();
    const before = item ? await items.findOne({ org, _id: item }, { session }) : null;
    if (asOf && before?.updatedAt.getTime() !== asOf.getTime()) throw stale;
    const also = item ? [{ _id: item }] : [];
    const [state] = (await openForChange({ db, ruleSets }, author, [member], { session, now, also })).values();
    if (!state) throw notFound('Program');
    settleState(state, author, now);
    const { item: changed, fields = {} } = refuseOverflow(() => change(state));
    changeMember(state, author, [], now);
    await commitLedger(db, session, ledgerChange(state), now);
    if (Object.keys(fields).length > 0) {
      await items.updateOne({ org, _id: changed }, updateOperators(fields, updateStamps(author, now)), { session });
    }
    const after = await items.findOne({ org, _id: changed }, { session });
    if (!after) throw notFound('AccrualItem');
    await audit(db, session, author, toMachineClock(clock).now(), [itemChange(action, after, before)]);
    await inCommit?.(after, session);
    return after;
  };
  const options = {
    now: () => clock.now().getTime(),
    isWorthRetrying: (error: unknown) => error !== stale && isTransient(error),
  };
  return serializedPerOrg(db, org, () => withRetries(() => inTransaction(db, attempt), options));
}

/** Runs a change of a ledger. @throws ServiceError 1200 when a sum would leave the exact integers */
export function refuseOverflow<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof PointsOverflow)) throw error;
    throw invalidField('accruedPoints', 'maximum', message('points.wouldFillPurse'));
  }
}
