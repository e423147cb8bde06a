import type { ObjectId } from 'bson';
import type { Outcome, PipelineRequest } from '#activities/state/pipelineRequest';
import { elapsedMs } from '#base/common/clock';
import { type ServiceError, unavailable } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { timeouts } from '#base/db/timeouts';
import { createAdmission } from '#base/limits/admission';
import { type Waiting, withActivitySpan } from './activitySpan';
import { createBatchTurns } from './batchTurns';
import { busyKeys, nextBatch } from './nextBatch';
import { pipelineLoad } from './pipelineMetrics';
import { type BatchServices, blockedPartitions, processBatch } from './processBatch';

/** Bounds of the group commit. */
export const pipelineLimits = {
  /** Most requests in one transaction. */
  batchMax: 256,
  /** Most batches of one org in flight at once in this process. */
  inFlightMax: 2,
  /**
   * While a batch is in flight, this many requests must wait before the next batch starts. It is also the smallest
   * share of a batch, because a small batch costs as much as a large one.
   */
  overlapMin: 20,
} as const;

/** Group commit: requests that arrive during a commit form the next batches. An idle pipeline commits at once. */
export interface Pipeline {
  /**
   * Processes one request and resolves when its result is durable.
   * @throws ServiceError 1310 when too many requests wait; any error with which processing refuses the request
   */
  submit(request: PipelineRequest): Promise<Outcome>;
  /** How many requests wait or are in flight, by the hexadecimal id of their org. */
  pending(): ReadonlyMap<string, number>;
  /** Resolves when no request waits and no batch is in flight. */
  idle(): Promise<void>;
}

/** Makes the pipeline of a process, with one queue for each org. */
export function createPipeline(processServices: Omit<BatchServices, 'openTurn'>): Pipeline {
  const services = { ...processServices, openTurn: createBatchTurns(processServices.db) };
  const queues = new Map<string, OrgQueue>();
  return {
    submit(request) {
      const id = request.author.org.toHexString();
      let queue = queues.get(id);
      if (!queue) {
        queue = new OrgQueue(services, request.author.org, () => queues.delete(id));
        queues.set(id, queue);
      }
      return queue.submit(request);
    },
    pending: () => new Map([...queues].map(([id, queue]) => [id, queue.pending])),
    async idle() {
      while (queues.size > 0) {
        await Promise.all([...queues.values()].map((queue) => queue.idle()));
        // Timers and sockets must run while this loop waits for a queue to become empty.
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}

/**
 * The requests of one org. While one batch commits, the next one may be read and decided if it touches other members.
 * Requests of one member are processed in the order of their arrival.
 */
class OrgQueue {
  private readonly waiting: Waiting[] = [];
  private readonly running = new Set<Promise<void>>();
  /** What the batches in flight touch: members, originals, partitions and keys; see {@link busyKeys}. */
  private readonly busy = new Set<string>();
  private readonly admission = createAdmission();
  private isScheduled = false;
  /** Number of requests in the batches in flight. */
  private inFlight = 0;

  constructor(
    private readonly services: BatchServices,
    private readonly org: ObjectId,
    private readonly onEmpty: () => void,
  ) {}

  submit(request: PipelineRequest): Promise<Outcome> {
    if (!this.mayWait(request)) return Promise.reject(overloaded());
    return new Promise((resolve, reject) => {
      this.waiting.push(this.withSpan({ request, resolve, reject }));
      pipelineLoad.waiting += 1;
      this.schedule();
    });
  }

  /** The inbox waits for what it submits, so only clients can send too much. */
  private mayWait({ partition }: PipelineRequest): boolean {
    const now = elapsedMs();
    const endsAt = this.waiting[0]?.request.endsAt;
    const oldestMs = endsAt === undefined ? undefined : timeouts.requestMs - (endsAt - now);
    return partition !== undefined || this.admission.isOpen({ waiting: this.waiting.length, oldestMs, now });
  }

  /**
   * Starts a span for the request when its trace is recorded. The span includes the wait, and ends with the outcome.
   */
  private withSpan(waiting: Waiting): Waiting {
    const { tracer } = this.services;
    const { request } = waiting;
    const parent = request.origin?.traceparent;
    return tracer && parent !== undefined ? withActivitySpan(tracer, parent, waiting) : waiting;
  }

  get pending(): number {
    return this.waiting.length + this.inFlight;
  }

  async idle(): Promise<void> {
    while (this.isScheduled || this.running.size > 0) {
      await Promise.all(this.running);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Starts batches after the current tick, so that requests of one tick join the same batch. */
  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      this.start();
      // When every waiting request was too late, no batch runs, so the queue must be ended here.
      if (this.running.size === 0 && this.waiting.length === 0) this.onEmpty();
    });
  }

  private start(): void {
    while (this.waiting.length >= (this.running.size === 0 ? 1 : pipelineLimits.overlapMin)) {
      if (this.running.size >= pipelineLimits.inFlightMax) return;
      const batch = this.takeBatch();
      if (batch.length === 0) return;
      this.inFlight += batch.length;
      pipelineLoad.inFlight += batch.length;
      const run = this.run(batch).finally(() => {
        this.inFlight -= batch.length;
        pipelineLoad.inFlight -= batch.length;
        this.running.delete(run);
        this.start();
        if (this.running.size === 0 && this.waiting.length === 0) this.onEmpty();
      });
      this.running.add(run);
    }
  }

  /**
   * Most requests of clients in the next batch. Clients that get their answers together send their next requests
   * together. Without this limit one batch would always take them all, and nothing would be decided while it commits.
   */
  private fairShare(): number {
    const { inFlightMax, overlapMin } = pipelineLimits;
    return Math.max(overlapMin, Math.ceil((this.waiting.length + this.inFlight) / inFlightMax));
  }

  private async run(batch: Waiting[]): Promise<void> {
    const requests = batch.map(({ request }) => request);
    const results = await processBatch(this.services, this.org, requests);
    this.holdBack(blockedPartitions(requests, results));
    for (const request of requests) for (const key of busyKeys(request)) this.busy.delete(key);
    batch.forEach(({ resolve, reject }, index) => {
      const result = results[index];
      if (result === undefined || result instanceof Error) reject(result);
      else resolve(result);
    });
  }

  /** Refuses the waiting requests of these partitions. The inbox submits them again, after the request that failed. */
  private holdBack(partitions: ReadonlySet<number>): void {
    if (partitions.size === 0) return;
    const isHeldUp = ({ request }: Waiting) => request.partition !== undefined && partitions.has(request.partition);
    const heldUp = this.waiting.filter(isHeldUp);
    this.keepWaiting(this.waiting.filter((waiting) => !isHeldUp(waiting)));
    for (const { reject } of heldUp) reject(overloaded());
  }

  private takeBatch(): Waiting[] {
    const { batchMax } = pipelineLimits;
    const now = elapsedMs();
    const limits = { busy: this.busy, batchMax, clientsMax: this.fairShare(), now };
    const { batch, kept, late } = nextBatch(this.waiting, limits);
    this.admission.noteDone(batch.length, now);
    for (const { reject } of late) reject(overloaded());
    for (const { request } of batch) for (const key of busyKeys(request)) this.busy.add(key);
    this.keepWaiting(kept);
    return batch;
  }

  private keepWaiting(kept: readonly Waiting[]): void {
    pipelineLoad.waiting += kept.length - this.waiting.length;
    this.waiting.splice(0, this.waiting.length, ...kept);
  }
}

function overloaded(): ServiceError {
  return unavailable(message('activities.tooManyWaiting'));
}
