import { setTimeout as sleep } from 'node:timers/promises';
import type { ObjectId } from 'bson';
import { elapsedMs } from '#base/common/clock';
import { collectionOf } from '#base/db/collections';
import { timeouts } from '#base/db/timeouts';
import type { Resource } from '#base/schema/resource';
import { audit } from '#platform/audit/audit';
import type { Auditor } from '#platform/audit/auditor';
import type { Infrastructure } from '#platform/infrastructure/infrastructure';
import { countDefinitionChange } from '#platform/orgs/writeRecord';
import { programResource } from '#records/programs/program';
import { orgResource } from '#records/users/org';
import { deleteRecords } from './deleteRecords';
import { requireSandbox } from './requireSandbox';
import { type SandboxLease, takeLease } from './sandboxLease';
import { wipedResources } from './wipedResources';

/** What a wipe needs. The clock is the machine's. */
export type WipeServices = Pick<Infrastructure, 'db' | 'clock' | 'resources'>;

/** Who wipes a sandbox, and how. */
export interface WipeOptions {
  by: Auditor;
  /** Whether the clock of the sandbox goes back to the machine's time. */
  resetsClock: boolean;
  /** Called after each collection with the number of records deleted so far. */
  onDeleted?(path: string, count: number): void;
}

/** Requests that were admitted before the sandbox was closed may still write for so long. */
const inFlightMs = timeouts.requestMs + 500;

/**
 * Deletes members, ledger, histories, aggregates, submissions and whatever else belongs to members; definitions, rules and
 * users stay. Meanwhile nothing is written in the sandbox. The audit log gets the wipe before it begins. A wipe that was
 * killed continues with the timer `sandbox` ({@link finishWipe}), or with the next call.
 * @returns the numbers of deleted records by collection
 * @throws ServiceError 1500 when the org is no sandbox; 1270 while its clock is being moved or it is being wiped
 */
export async function wipeSandbox(
  services: WipeServices,
  org: ObjectId,
  { by, resetsClock, onDeleted }: WipeOptions,
): Promise<Record<string, number>> {
  const { db, clock } = services;
  await requireSandbox(db, org);
  const mayWipe = { 'sandbox.work': { $in: [null, 'wipe'] } };
  const change = { action: 'wipe', resource: orgResource.path, id: org, after: { resetsClock } };
  const lease = await takeLease(services, org, mayWipe, {
    set: { 'sandbox.work': 'wipe', 'sandbox.resetsClock': resetsClock },
    inCommit: (session) => audit(db, session, by, clock.now(), [change]),
  });
  return wipeLeased(services, org, { lease, resetsClock, ...(onDeleted && { onDeleted }) });
}

/**
 * Finishes a wipe that was killed.
 * @throws ServiceError 1270 while another process wipes, or when there is nothing to finish
 */
export async function finishWipe(services: WipeServices, org: ObjectId): Promise<void> {
  const { sandbox } = await requireSandbox(services.db, org);
  const lease = await takeLease(services, org, { 'sandbox.work': 'wipe' });
  await wipeLeased(services, org, { lease, resetsClock: sandbox.resetsClock ?? false });
}

type Wiping = Pick<WipeOptions, 'resetsClock' | 'onDeleted'> & { lease: SandboxLease };

async function wipeLeased({ db, resources }: WipeServices, org: ObjectId, { lease, resetsClock, onDeleted }: Wiping) {
  const closedAt = elapsedMs();
  const deleted: Record<string, number> = {};
  const pass = () => wipePass({ db, org, lease, resources: wipedResources(resources) }, deleted, onDeleted);
  try {
    await pass();
    await sleep(Math.max(0, inFlightMs - (elapsedMs() - closedAt)));
    while ((await pass()) > 0);
    await collectionOf(db, programResource).updateMany({ org }, { $unset: { hasMembers: '', amountsIn: '' } });
    await countDefinitionChange(db, org);
    const start = resetsClock ? { set: { 'sandbox.aheadMs': 0 } } : {};
    await lease.change({ ...start, unset: ['sandbox.aheadUntilMs'] });
    await lease.release('sandbox.work', 'sandbox.resetsClock');
  } finally {
    await lease.release();
  }
  return deleted;
}

interface WipePass {
  db: WipeServices['db'];
  org: ObjectId;
  lease: SandboxLease;
  resources: readonly Resource[];
}

async function wipePass(
  { db, org, lease, resources }: WipePass,
  deleted: Record<string, number>,
  onDeleted: WipeOptions['onDeleted'],
): Promise<number> {
  let found = 0;
  for (const resource of resources) {
    const count = await deleteRecords(db, resource, org, () => lease.change({}));
    found += count;
    deleted[resource.path] = (deleted[resource.path] ?? 0) + count;
    if (count > 0) onDeleted?.(resource.path, deleted[resource.path] ?? 0);
  }
  return found;
}
