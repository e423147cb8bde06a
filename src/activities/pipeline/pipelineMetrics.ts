import { Counter, Gauge, Histogram } from 'prom-client';
import { GuardFailed, isDuplicateKey, isWriteConflict } from '#base/db/transaction';

/** Requests that are in the pipelines of this process now. The pipelines update these figures. */
export const pipelineLoad = { waiting: 0, inFlight: 0 };

const waiting: Gauge = new Gauge({
  name: 'loyalty_pipeline_waiting',
  help: 'Activities that wait in this process for their batch',
  collect: () => waiting.set(pipelineLoad.waiting),
});
const inFlight: Gauge = new Gauge({
  name: 'loyalty_pipeline_in_flight',
  help: 'Activities in the batches that this process works on',
  collect: () => inFlight.set(pipelineLoad.inFlight),
});

/** Histories of one transaction. */
export const batchSize = new Histogram({
  name: 'loyalty_batch_size',
  help: 'Activities in one transaction',
  buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
});

/** Time of a transaction, whether it succeeded or not. */
export const commitDuration = new Histogram({
  name: 'loyalty_commit_duration_seconds',
  help: 'Time of one transaction of activities, from its first write to its end',
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
});

/** Attempts after the first. */
export const commitRetries = new Counter({
  name: 'loyalty_commit_retries_total',
  help: 'Times that a batch was read, decided and committed again',
});

const conflicts = new Counter({
  name: 'loyalty_commit_conflicts_total',
  help: 'Transactions of activities that were given up because of another one, by what told it',
  labelNames: ['reason'],
});

/** Counts the transaction that was given up for this error. */
export function countConflict(error: unknown): void {
  conflicts.inc({ reason: retryReason(error) });
}

function retryReason(error: unknown): string {
  if (error instanceof GuardFailed) return 'guard';
  if (isDuplicateKey(error)) return 'duplicateKey';
  return isWriteConflict(error) ? 'writeConflict' : 'other';
}
