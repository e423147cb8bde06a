import type { ObjectId } from 'bson';
import type { ClientSession } from 'mongoose';
import type { Backing } from '../backing/backing';
import { invalidField, notFound } from '../common/errors';
import { collectionOf } from '../db/collections';
import { type Author, updateOf, updateStamps } from '../db/records';
import { GuardFailed, type InCommit, inTransaction, isTransient, withRetries } from '../db/transaction';
import { wantedInForce } from '../occasions/wantedOccasions';
import type { OrgVersions } from '../orgs/orgVersions';
import { PointsOverflow } from '../points/pointsOverflow';
import { loadProgramCatalog } from '../programs/programCatalog';
import { memberResource } from '../records/members/member';
import { accrualItemResource } from '../records/points/accrualItem';
import type { DocOf } from '../schema/resource';
import { loadTierSums } from '../tiers/loadTierSums';
import { commitLedger } from './commitLedger';
import { changeMember, ledgerChange, type MemberState, openMembers } from './memberState';
import { finalSurvivor, loadLiveLots } from './readMember';
import { settleState } from './settleState';

/** The member whose ledger is changed, and an accrual item to load even when it is spent. */
export interface ByHand {
  member: ObjectId;
  item?: ObjectId;
  /** When the item had changed last, as its change was checked. */
  asOf?: Date;
}

/** The item that was changed by hand, and fields of it that no ledger keeps; undefined ones are removed. */
export interface Changed {
  item: ObjectId;
  fields?: object;
}

type AccrualItem = DocOf<typeof accrualItemResource>;

/**
 * Changes a member's ledger without an activity, in one transaction guarded by the member's version. The member is
 * settled first. For a merged member it changes the survivor's ledger.
 * @returns the item after the change
 * @throws ServiceError 1500 when the member is unknown, 1200 when a sum would leave the exact integers; GuardFailed when
 *   the item changed after `asOf`; errors of `change`
 */
export async function adjustMember(
  { db, clock, ruleSets }: Pick<Backing, 'db' | 'clock' | 'ruleSets'>,
  author: Author & { versions?: OrgVersions },
  { member, item, asOf }: ByHand,
  change: (state: MemberState) => Changed,
  inCommit?: InCommit<AccrualItem>,
): Promise<AccrualItem> {
  const { org } = author;
  const items = collectionOf(db, accrualItemResource);
  const stale = new GuardFailed('the item changed meanwhile');
  const attempt = async (session: ClientSession) => {
    const now = clock.now();
    if (item && asOf && !(await items.findOne({ org, _id: item, updatedAt: asOf }, { session }))) throw stale;
    const id = await finalSurvivor(db, org, member);
    const doc = await collectionOf(db, memberResource).findOne({ org, _id: id }, { session });
    const catalog = await loadProgramCatalog(db, org);
    if (!doc) throw notFound('Member');
    const survivors = new Map(doc.mergeIds.map((merged) => [merged.toHexString(), id]));
    const lots = await loadLiveLots(db, org, [id], { also: item ? [{ _id: item }] : [], survivors, session });
    const sums = await loadTierSums(db, { org, members: [doc], catalog, now });
    const wanted = await wantedInForce({ db, ruleSets }, author, now);
    const [state] = openMembers([doc], catalog, { lots, sums }, now, wanted).values();
    if (!state) throw notFound('Program');
    settleState(state, author, now);
    const { item: changed, fields = {} } = refuseOverflow(() => change(state));
    changeMember(state, author, [], now);
    await commitLedger(db, session, ledgerChange(state), now);
    if (Object.keys(fields).length > 0) {
      await items.updateOne({ org, _id: changed }, updateOf(fields, updateStamps(author, now)), { session });
    }
    const after = await items.findOne({ org, _id: changed }, { session });
    if (!after) throw notFound('AccrualItem');
    await inCommit?.(after, session);
    return after;
  };
  return withRetries(() => inTransaction(db, attempt), {
    now: () => clock.now().getTime(),
    isWorthRetrying: (error) => error !== stale && isTransient(error),
  });
}

function refuseOverflow<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof PointsOverflow)) throw error;
    throw invalidField('accruedPoints', 'maximum', 'would make the purse exceed 2^53 - 1 points');
  }
}
