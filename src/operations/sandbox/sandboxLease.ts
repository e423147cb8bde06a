import { ObjectId } from 'bson';
import type { ClientSession, Connection } from 'mongoose';
import { ServiceError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { collectionOf } from '#base/db/collections';
import { defineLeases, keepLease } from '#base/db/leases/lease';
import { GuardFailed, inTransaction, withRetries } from '#base/db/transaction';
import { serializedPerOrg } from '#platform/orgs/serializedPerOrg';
import { type Org, orgResource } from '#records/users/org';

const times = { lastsMs: 30_000, renewedEveryMs: 5000 } as const;
const leases = defineLeases({ holder: 'sandbox.lease', until: 'sandbox.leaseUntil', ...times });

/** The right to move or wipe a sandbox. It is renewed until it is released; a killed process loses it. */
export interface SandboxLease {
  /**
   * Changes the org, if this process still has the lease.
   * @throws GuardFailed when it is not
   */
  change(update: { set?: object; unset?: string[] }, also?: object): Promise<void>;
  /** Gives the lease back, and removes these fields of the org with it. */
  release(...finished: string[]): Promise<void>;
}

/** What changes of a sandbox when its lease is taken. */
interface AlsoChanged {
  set?: object;
  inCommit?(session: ClientSession): Promise<void>;
}

/**
 * Takes the lease of a sandbox.
 * @param when what the org must be like
 * @param also what changes with it, in the same transaction
 * @throws ServiceError 1270 when another has it, or the org is not like that
 */
export async function takeLease(
  { db }: { db: Connection },
  org: Org['_id'],
  when: object,
  { set = {}, inCommit }: AlsoChanged = {},
): Promise<SandboxLease> {
  const orgs = collectionOf(db, orgResource);
  const lease = new ObjectId();
  const free = { $and: [{ _id: org, sandbox: { $exists: true } }, leases.free, when] };
  const mine = { _id: org, 'sandbox.lease': lease };
  const take = async (session: ClientSession) => {
    const { matchedCount } = await orgs.updateOne(free, leases.taken(lease, set), { session });
    if (matchedCount === 0) throw new ServiceError('inFlight', message('sandbox.movedOrWiped'));
    await inCommit?.(session);
  };
  const wasTaken = async (session: ClientSession) => (await orgs.findOne(mine, { session })) !== null;
  await serializedPerOrg(db, org, () => withRetries(() => inTransaction(db, take, wasTaken), {}));
  const kept = keepLease(times, async () => (await orgs.updateOne(mine, leases.renewed())).matchedCount === 1);
  return {
    async change({ set = {}, unset = [] }, also = {}) {
      const update = [...leases.renewed(set), ...(unset.length > 0 ? [{ $unset: unset }] : [])];
      const changed = await orgs.updateOne({ $and: [mine, also] }, update);
      if (changed.matchedCount > 0) return;
      await kept.end();
      throw new GuardFailed('the lease of the sandbox ended');
    },
    async release(...finished) {
      await kept.end();
      await orgs.updateOne(mine, [{ $unset: ['sandbox.lease', 'sandbox.leaseUntil', ...finished] }]);
    },
  };
}
