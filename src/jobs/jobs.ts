import type { ObjectId } from 'bson';
import { recoverInbox } from '../activities/inbox/recoverInbox';
import { rollUp } from '../aggregates/rollUp/rollUp';
import type { Backing } from '../backing/backing';
import { sweepDue } from '../memberState/sweepDue';
import { runFollowUps } from '../members/runFollowUps';
import type { Queues } from '../queues/queues';
import { reconcile } from '../reconcile/reconcile';

/** What a job did, by name; all zero when nothing was due. */
export type Counts = Readonly<Record<string, number>>;

/** For whom a job acts, and the moment up to which things are due. */
export interface JobScope {
  org: ObjectId;
  now: Date;
}

/** What jobs need. */
export type JobServices = Pick<Backing, 'db' | 'clock' | 'log' | 'config'> & { queues: Queues };

/** A job: idempotent, safe to run twice at once, and it resumes where a killed run stopped. */
export interface Job {
  run(services: JobServices, scope: JobScope): Promise<Counts>;
  /** The counts that are zero once nothing that was due is left. */
  left: readonly string[];
  /** True when counts say how much there is, not how much was done: of several rounds the highest stands. */
  isLevel?: boolean;
}

const runSweep: Job = { run: async (services, scope) => ({ ...(await sweepDue(services, scope)) }), left: ['members'] };

/**
 * Every job by name. `escrow`, `tiers` and `expiry` are one sweep: it does all three member by member, each in the one
 * commit that its version guards; points that are released may be past their expiry.
 */
export const jobs = {
  /** The name of their one schedule. */
  daychange: runSweep,
  escrow: runSweep,
  tiers: runSweep,
  expiry: runSweep,
  aggregates: {
    run: async ({ db }, scope) => ({ ...(await rollUp({ db }, scope)) }),
    left: ['events', 'days', 'members'],
  },
  inbox: { run: recoverInbox, left: ['queued'], isLevel: true },
  members: {
    run: async ({ db }, { org, now }) => ({ ...(await runFollowUps(db, org, now)) }),
    left: ['histories', 'items', 'aggregates'],
  },
  reconcile: { run: runReconcile, left: [] },
} satisfies Record<string, Job>;

export type JobName = keyof typeof jobs;

/** Tells whether a text names a job. */
export function isJobName(name: string): name is JobName {
  return Object.hasOwn(jobs, name);
}

async function runReconcile({ db, clock, log }: JobServices, { org }: JobScope): Promise<Counts> {
  const found = await reconcile(
    { db, clock },
    { org, onMismatch: (mismatch) => log.error({ mismatch }, 'ledger mismatch') },
  );
  return { ...found };
}
