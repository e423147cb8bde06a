import type { ObjectId } from 'bson';
import { postDueOccasions } from '#activities/dueOccasions/postDueOccasions';
import { recoverInbox } from '#activities/inbox/recoverInbox';
import type { Pipeline } from '#activities/pipeline/pipeline';
import type { Queues } from '#base/queues/queues';
import { rollUp } from '#members/aggregates/rollUp/rollUp';
import { announceExpiring } from '#members/memberState/announceExpiring';
import { sweepDue } from '#members/memberState/sweepDue';
import { runFollowUps } from '#members/members/runFollowUps';
import { reconcile } from '#members/reconcile/reconcile';
import { makeDeferredIndexes } from '#operations/migrations/makeDeferredIndexes';
import { retain } from '#operations/retention/retain';
import { continueSandbox } from '#operations/sandbox/continueSandbox';
import { forgetEvents } from '#platform/events/forgetEvents';
import type { Infrastructure } from '#platform/infrastructure/infrastructure';
import { toMachineClock } from '#platform/orgs/orgClock';
import { adoptScheduled } from '#publishing/rulesets/adoptScheduled';

/** What a job did, as counts by name; all are zero when nothing was due. */
export type Counts = Readonly<Record<string, number>>;

/** The org that a job works for, and the time up to which work is due. */
export interface JobScope {
  org: ObjectId;
  now: Date;
}

/** The services that jobs use. */
export type JobServices = Pick<Infrastructure, 'db' | 'clock' | 'log' | 'config' | 'ruleSets' | 'resources'> & {
  queues: Queues;
  pipeline: Pipeline;
};

/** A job. It is idempotent, may run twice at once, and resumes where a killed run stopped. */
export interface Job {
  run(services: JobServices, scope: JobScope): Promise<Counts>;
  /** What its timer does, when that is less than `run`: the rest has a timer of its own. */
  runByTimer?(services: JobServices, scope: JobScope): Promise<Counts>;
  /** Names of the counts that are all zero once nothing is due. */
  left: readonly string[];
  /** True when counts say how much is there, not how much was done. Then several rounds report the highest value. */
  isLevel?: boolean;
}

const runSweep: Job = { run: async (services, scope) => ({ ...(await sweepDue(services, scope)) }), left: ['members'] };

/**
 * Every job by name. `escrow`, `tiers` and `expiry` are the same sweep. It does all three for a member in one commit,
 * because a release can make points available that expire at once.
 */
export const jobs = {
  /** All that a day brings: the sweep, and events of points that expire soon. Its timer runs the sweep alone. */
  daychange: {
    run: async (services, scope) => ({
      ...(await sweepDue(services, scope)),
      ...(await announceExpiring(services, scope)),
    }),
    left: ['members', 'expiring'],
  },
  escrow: runSweep,
  tiers: runSweep,
  expiry: runSweep,
  /** The whole roll-up. Its timer leaves the larger periods to `periods`. */
  aggregates: {
    run: async ({ db }, scope) => ({ ...(await rollUp({ db }, scope)) }),
    runByTimer: async ({ db }, scope) => {
      const { events, members } = await rollUp({ db }, { ...scope, part: 'days' });
      return { events, members };
    },
    left: ['events', 'days', 'members'],
  },
  periods: {
    run: async ({ db }, scope) => ({ days: (await rollUp({ db }, { ...scope, part: 'periods' })).days }),
    left: ['days'],
  },
  inbox: { run: recoverInbox, left: ['queued'], isLevel: true },
  occasions: { run: postDueOccasions, left: ['posted'] },
  members: {
    run: async ({ db }, { org, now }) => ({ ...(await runFollowUps(db, org, now)) }),
    left: ['histories', 'items', 'rewards', 'members', 'aggregates'],
  },
  rules: { run: async (services, scope) => ({ adopted: await adoptScheduled(services, scope) }), left: ['adopted'] },
  indexes: { run: async (services) => makeDeferredIndexes(services), left: ['indexes'] },
  expiring: { run: announceExpiring, left: ['expiring'] },
  events: {
    // How long events are kept is of the service, and so by the machine's clock.
    run: (services, { org }) => forgetEvents(services, { org, now: toMachineClock(services.clock).now() }),
    left: ['events'],
  },
  sandbox: { run: continueSandbox, left: ['moving'], isLevel: true },
  retention: {
    run: (services, { org }) => retain(services, { org, now: toMachineClock(services.clock).now() }),
    left: ['histories', 'auditEntries'],
  },
  reconcile: { run: runReconcile, left: [] },
} satisfies Record<string, Job>;

export type JobName = keyof typeof jobs;

/** Tells whether a string names a job. */
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
