import { ObjectId } from 'bson';
import type { ClientSession, Connection } from 'mongoose';
import type { Clock } from '#base/common/clock';
import { ServiceError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { collectionOf } from '#base/db/collections';
import { GuardFailed, inTransaction, withRetries } from '#base/db/transaction';
import { serializedPerOrg } from '#platform/orgs/serializedPerOrg';
import { type Org, orgResource } from '#records/users/org';

/** How long a lease lasts after a renewal, and how often it is renewed, in milliseconds of the machine's clock. */
const lastsMs = 30_000;
const renewedEveryMs = 5000;

/** The right to move or wipe a sandbox. It is renewed until it is released; a killed process loses it. */
export interface SandboxLease {
  /**
   * Changes the org, if the lease is still held.
   * @throws GuardFailed when it is not
   */
  change(update: { $set?: object; $unset?: Record<string, ''> }, also?: object): Promise<void>;
  /** Gives the lease back, and removes these fields of the org with it. */
  release(...finished: string[]): Promise<void>;
}

interface LeaseServices {
  db: Connection;
  /** The machine's. */
  clock: Clock;
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
  { db, clock }: LeaseServices,
  org: Org['_id'],
  when: object,
  { set = {}, inCommit }: AlsoChanged = {},
): Promise<SandboxLease> {
  const orgs = collectionOf(db, orgResource);
  const lease = new ObjectId();
  const until = () => ({ 'sandbox.leaseUntil': new Date(clock.now().getTime() + lastsMs) });
  const isFree = {
    $or: [{ 'sandbox.leaseUntil': { $exists: false } }, { 'sandbox.leaseUntil': { $lte: clock.now() } }],
  };
  const free = { $and: [{ _id: org, sandbox: { $exists: true } }, isFree, when] };
  const mine = { _id: org, 'sandbox.lease': lease };
  const take = async (session: ClientSession) => {
    const taken = { $set: { ...set, 'sandbox.lease': lease, ...until() } };
    const { matchedCount } = await orgs.updateOne(free, taken, { session });
    if (matchedCount === 0) throw new ServiceError('inFlight', message('sandbox.movedOrWiped'));
    await inCommit?.(session);
  };
  const wasTaken = async (session: ClientSession) => (await orgs.findOne(mine, { session })) !== null;
  await serializedPerOrg(db, org, () => withRetries(() => inTransaction(db, take, wasTaken), {}));
  const timer = setInterval(() => void orgs.updateOne(mine, { $set: until() }).catch(() => undefined), renewedEveryMs);
  timer.unref();
  return {
    async change({ $set, $unset }, also = {}) {
      const update = { $set: { ...$set, ...until() }, ...($unset ? { $unset } : {}) };
      const changed = await orgs.updateOne({ $and: [mine, also] }, update);
      if (changed.matchedCount > 0) return;
      clearInterval(timer);
      throw new GuardFailed('the lease of the sandbox ended');
    },
    async release(...finished) {
      clearInterval(timer);
      const fields = ['sandbox.lease', 'sandbox.leaseUntil', ...finished];
      await orgs.updateOne(mine, { $unset: Object.fromEntries(fields.map((name) => [name, ''])) });
    },
  };
}
