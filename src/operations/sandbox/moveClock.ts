import type { ObjectId } from 'bson';
import { createInboxDrain } from '#activities/inbox/inboxDrain';
import type { Pipeline } from '#activities/pipeline/pipeline';
import { elapsedMs } from '#base/common/clock';
import { dayMs } from '#base/common/durations';
import { invalidField } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { audit } from '#platform/audit/audit';
import type { Auditor } from '#platform/audit/auditor';
import type { Infrastructure } from '#platform/infrastructure/infrastructure';
import { atOrgTime, orgTime } from '#platform/orgs/orgClock';
import { orgResource } from '#records/users/org';
import { requireSandbox, type SandboxOrg } from './requireSandbox';
import { type DueServices, runDue } from './runDue';
import { type SandboxLease, takeLease } from './sandboxLease';

/** How far the clock of a sandbox may be moved: by one request, and in all; in milliseconds. */
export const moveLimits = { byOneMs: 732 * dayMs, inAllMs: 7320 * dayMs } as const;

/** What moving needs. The clock is the machine's. */
export type MoveServices = DueServices & Pick<Infrastructure, 'log' | 'config'> & { pipeline: Pipeline };

/** The instant to which a clock is moved. */
export interface MoveTarget {
  to: Date;
  /** The field with the instant, for faults. */
  path: string;
}

/**
 * Requests a move of the clock of a sandbox to an instant. {@link continueMove} moves it. The audit log gets it.
 * @throws ServiceError 1200 when the instant is not later, or too far; 1270 while the clock is being moved or the
 *   sandbox is being wiped; 1500 when the org is no sandbox
 */
export async function requestMove(services: MoveServices, by: Auditor, { to, path }: MoveTarget): Promise<void> {
  const { db, clock } = services;
  const { org } = by;
  const { sandbox } = await requireSandbox(db, org);
  const machineNow = clock.now();
  const from = orgTime(machineNow, sandbox);
  const forwardMs = to.getTime() - from.getTime();
  const aheadUntilMs = sandbox.aheadMs + forwardMs;
  if (forwardMs <= 0) throw invalidField(path, 'minimum', message('sandbox.clockNotLater'));
  if (forwardMs > moveLimits.byOneMs) throw invalidField(path, 'maximum', message('sandbox.twoYearsLater'));
  if (aheadUntilMs > moveLimits.inAllMs) throw invalidField(path, 'maximum', message('sandbox.twentyYearsAhead'));
  const unmovedClock = { 'sandbox.aheadMs': sandbox.aheadMs, 'sandbox.aheadUntilMs': { $exists: false } };
  const when = { ...unmovedClock, 'sandbox.work': { $exists: false } };
  const change = { action: 'move', resource: orgResource.path, id: org, before: { now: from }, after: { now: to } };
  const lease = await takeLease(services, org, when, {
    set: { 'sandbox.aheadUntilMs': aheadUntilMs },
    inCommit: (session) => audit(db, session, by, machineNow, [change]),
  });
  await lease.release();
}

/**
 * Moves the clock of a sandbox towards its target, a day at a time. After each step everything that is due then is
 * done. A killed move continues where it stopped; the work of its last step is done again, which changes nothing.
 * @param forMs begins no step after this time
 * @returns whether the clock has arrived; also true when there was nothing to move, or another process is moving it
 */
export async function continueMove(services: MoveServices, org: ObjectId, forMs: number): Promise<boolean> {
  const { sandbox } = await requireSandbox(services.db, org);
  if (sandbox.aheadUntilMs === undefined || sandbox.work) return true;
  const when = { 'sandbox.aheadUntilMs': sandbox.aheadUntilMs, 'sandbox.work': { $exists: false } };
  const lease = await takeLease(services, org, when);
  const endsAt = elapsedMs() + forMs;
  const drain = createInboxDrain(services);
  try {
    // Work of a step that was interrupted comes before the next step.
    await doDue(services, drain, await requireSandbox(services.db, org));
    while (elapsedMs() < endsAt) {
      const current = await step(services, org, lease);
      if (current) await doDue(services, drain, current);
      else {
        await lease.release('sandbox.aheadUntilMs');
        return true;
      }
    }
    return false;
  } finally {
    await lease.release();
    await drain.close();
  }
}

/** Moves the clock by a day, or by what is left. Returns undefined when it has arrived. */
async function step({ db }: MoveServices, org: ObjectId, lease: SandboxLease): Promise<SandboxOrg | undefined> {
  const { sandbox } = await requireSandbox(db, org);
  const { aheadMs, aheadUntilMs = aheadMs } = sandbox;
  if (aheadMs >= aheadUntilMs) return undefined;
  const next = Math.min(aheadMs + dayMs, aheadUntilMs);
  const isOpen = { 'sandbox.aheadMs': aheadMs, 'sandbox.work': { $exists: false } };
  await lease.change({ set: { 'sandbox.aheadMs': next } }, isOpen);
  return requireSandbox(db, org);
}

async function doDue(services: MoveServices, drain: ReturnType<typeof createInboxDrain>, { _id, sandbox }: SandboxOrg) {
  const own = atOrgTime(services, sandbox);
  await runDue(own, drain, _id, own.clock.now());
}
