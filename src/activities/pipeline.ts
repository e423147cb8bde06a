import type { ObjectId } from 'bson';
import { ServiceError } from '../errors';
import { type BatchServices, processBatch } from './processBatch';
import { createTurns } from './turns';
import type { Outcome, Work } from './work';

/** Bounds of the group commit. */
export const pipelineLimits = {
  /** Activities in one transaction at most. */
  batchMax: 256,
  /** Activities of one org that wait in this process at most; more are refused with 503. */
  waitingMax: 5000,
} as const;

interface Waiting {
  work: Work;
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
}

/** Group commit: what arrives while a commit is in flight is the next batch; an idle pipeline commits at once. */
export interface Pipeline {
  /**
   * Processes one activity or cancellation and answers when the result is durable.
   * @throws ServiceError 1310 when too many wait; what processing refuses
   */
  submit(work: Work): Promise<Outcome>;
  /** Resolves when nothing is in hand. */
  idle(): Promise<void>;
}

/** Makes the pipeline of a process: one queue an org, one batch of it in flight. */
export function createPipeline(given: Omit<BatchServices, 'openTurn'>): Pipeline {
  const services = { ...given, openTurn: createTurns(given.db, given.clock) };
  const queues = new Map<string, Waiting[]>();
  const running = new Set<Promise<void>>();
  return {
    submit(work) {
      const org = work.author.org.toHexString();
      const queue = queues.get(org);
      if (queue && queue.length >= pipelineLimits.waitingMax) return Promise.reject(overloaded());
      return new Promise((resolve, reject) => {
        const waiting = { work, resolve, reject };
        if (queue) {
          queue.push(waiting);
          return;
        }
        const fresh = [waiting];
        queues.set(org, fresh);
        const run = drain(services, work.author.org, fresh, () => queues.delete(org)).finally(() =>
          running.delete(run),
        );
        running.add(run);
      });
    },
    async idle() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

/** Works off a queue; `onEmpty` is called in the same turn that finds it empty, so that nothing joins a dead queue. */
async function drain(services: BatchServices, org: ObjectId, queue: Waiting[], onEmpty: () => void): Promise<void> {
  // What was posted in the same tick joins the first batch.
  await new Promise((resolve) => setImmediate(resolve));
  while (queue.length > 0) {
    const batch = takeBatch(queue);
    const results = await processBatch(
      services,
      org,
      batch.map(({ work }) => work),
    );
    batch.forEach(({ resolve, reject }, index) => {
      const result = results[index];
      if (result === undefined || result instanceof Error) reject(result);
      else resolve(result);
    });
  }
  onEmpty();
}

/** Takes the next batch in order; two works of one key are never in one batch, so the later sees the first's result. */
function takeBatch(queue: Waiting[]): Waiting[] {
  const keys = new Set<string>();
  let size = 0;
  for (const { work } of queue) {
    if (size >= pipelineLimits.batchMax) break;
    if (work.key) {
      if (keys.has(work.key.key)) break;
      keys.add(work.key.key);
    }
    size += 1;
  }
  return queue.splice(0, size);
}

function overloaded(): ServiceError {
  return new ServiceError('unavailable', 'Too many activities are waiting; retry later', {
    headers: { 'Retry-After': '1' },
  });
}
