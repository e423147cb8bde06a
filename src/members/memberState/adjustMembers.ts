import type { ObjectId } from 'bson';
import type { ClientSession } from 'mongoose';
import { ServiceError } from '#base/common/errors';
import { collectionOf } from '#base/db/collections';
import { audit } from '#platform/audit/audit';
import type { Auditor } from '#platform/audit/auditor';
import type { Infrastructure } from '#platform/infrastructure/infrastructure';
import { toMachineClock } from '#platform/orgs/orgClock';
import type { OrgVersions } from '#platform/orgs/orgVersions';
import { accrualItemResource } from '#records/points/accrualItem';
import { type ChangedItem, refuseOverflow } from './adjustMember';
import { commitLedger } from './commitLedger';
import { itemChange } from './itemChange';
import { changeMember, ledgerChange, type MemberState } from './memberState';
import { openForChange } from './openForChange';
import { settleState } from './settleState';
import { withItemFields } from './withItemFields';

/** One change of a member's ledger by hand. */
export interface LedgerAdjustment {
  member: ObjectId;
  /** Throws a ServiceError only before it changes anything. */
  change(state: MemberState): ChangedItem[];
}

/**
 * Changes the ledgers of members by hand inside a transaction, in the order given. Each member is settled first. A
 * change that is refused does not affect the others. Changes may only add items. The audit log gets an entry for each
 * item.
 * @returns for each change the error that refused it
 * @throws ServiceError 1500 when a member is unknown; 1200 when a sum would leave the exact integers; GuardFailed when
 *   another commit changed a member meanwhile
 */
export async function adjustMembers(
  services: Pick<Infrastructure, 'db' | 'clock' | 'ruleSets'>,
  author: Auditor & { versions?: OrgVersions },
  session: ClientSession,
  changes: readonly LedgerAdjustment[],
  now: Date,
): Promise<(ServiceError | undefined)[]> {
  if (changes.length === 0) return [];
  const members = changes.map(({ member }) => member);
  const states = await openForChange(services, author, members, { session, now });
  for (const state of new Set(states.values())) settleState(state, author, now);
  const changed: ChangedItem[] = [];
  const outcomes = changes.map(({ member, change }) => {
    const state = states.get(member.toHexString());
    if (!state) return undefined;
    try {
      // An overflow is found only in the middle of a change, so it makes all of them fail.
      changed.push(...refuseOverflow(() => change(state)));
      changeMember(state, author, [], now);
      return undefined;
    } catch (error) {
      if (error instanceof ServiceError && !isOverflow(error)) return error;
      throw error;
    }
  });
  const ledger = [...new Set(states.values())].flatMap(ledgerChange);
  await commitLedger(services.db, session, withItemFields(ledger, changed), now);
  await auditAdded(services, author, session, changed);
  return outcomes;
}

async function auditAdded(
  { db, clock }: Pick<Infrastructure, 'db' | 'clock'>,
  author: Auditor,
  session: ClientSession,
  changed: readonly ChangedItem[],
): Promise<void> {
  const ids = changed.map(({ item }) => item);
  const added = await collectionOf(db, accrualItemResource)
    .find({ org: author.org, _id: { $in: ids } }, { session })
    .toArray();
  const changes = added.map((item) => itemChange('create', item));
  await audit(db, session, author, toMachineClock(clock).now(), changes);
}

function isOverflow({ details: { errors = [] } }: ServiceError): boolean {
  return errors.some(({ path, kind }) => path === 'accruedPoints' && kind === 'maximum');
}
