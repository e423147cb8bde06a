import type { ObjectId } from 'bson';
import { elapsedMs } from '../../common/clock';
import { type ServiceError, unavailable } from '../../common/errors';
import type { Outcome, PipelineRequest } from '../state/pipelineRequest';
import { createMemberLeases } from './memberLeases';
import { type BatchServices, blockedPartitions, processBatch } from './processBatch';

/** Bounds of the group commit. */
export const pipelineLimits = {
  /** Activities in one transaction at most. */
  batchMax: 256,
  /** Batches of one org in flight at once in this process. */
  inFlightMax: 2,
  /**
   * How many must wait before a batch is started beside one in flight, and no batch is cut smaller: small batches cost
   * as much as large ones.
   */
  overlapMin: 20,
  /** Activities of one org that wait in this process at most; more are refused with 503. */
  waitingMax: 5000,
} as const;

interface Waiting {
  request: PipelineRequest;
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
}

/** Group commit: what arrives while commits are in flight makes the next batches; an idle pipeline commits at once. */
export interface Pipeline {
  /**
   * Processes one activity or cancellation and answers when the result is durable.
   * @throws ServiceError 1310 when too many wait; what processing refuses
   */
  submit(request: PipelineRequest): Promise<Outcome>;
  /** Resolves when nothing is in hand. */
  idle(): Promise<void>;
}

/** Makes the pipeline of a process: one queue an org. */
export function createPipeline(given: Omit<BatchServices, 'openLease'>): Pipeline {
  const services = { ...given, openLease: createMemberLeases(given.db) };
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
    async idle() {
      while (queues.size > 0) {
        await Promise.all([...queues.values()].map((queue) => queue.idle()));
        // Timers and sockets get their turn, whatever keeps a queue from being empty.
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}

/**
 * The works of one org. While a batch commits, the next may be read and decided beside it, as long as both touch
 * different members; works of one member are processed in the order they came.
 */
class OrgQueue {
  private readonly waiting: Waiting[] = [];
  private readonly running = new Set<Promise<void>>();
  /** What the batches in flight touch. */
  private readonly busy = new Set<string>();
  private isScheduled = false;
  /** Activities in the batches in flight. */
  private inFlight = 0;

  constructor(
    private readonly services: BatchServices,
    private readonly org: ObjectId,
    private readonly onEmpty: () => void,
  ) {}

  submit(request: PipelineRequest): Promise<Outcome> {
    if (this.waiting.length >= pipelineLimits.waitingMax) return Promise.reject(overloaded());
    return new Promise((resolve, reject) => {
      this.waiting.push({ request, resolve, reject });
      this.schedule();
    });
  }

  async idle(): Promise<void> {
    while (this.isScheduled || this.running.size > 0) {
      await Promise.all(this.running);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** What is posted in the same tick joins the same batch. */
  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      this.start();
      // All that waited came too late, so that no batch ends the queue.
      if (this.running.size === 0 && this.waiting.length === 0) this.onEmpty();
    });
  }

  private start(): void {
    while (this.waiting.length >= (this.running.size === 0 ? 1 : pipelineLimits.overlapMin)) {
      if (this.running.size >= pipelineLimits.inFlightMax) return;
      const batch = this.takeBatch();
      if (batch.length === 0) return;
      this.inFlight += batch.length;
      const run = this.run(batch).finally(() => {
        this.inFlight -= batch.length;
        this.running.delete(run);
        this.start();
        if (this.running.size === 0 && this.waiting.length === 0) this.onEmpty();
      });
      this.running.add(run);
    }
  }

  /**
   * How many of its clients the next batch takes: those who are answered together send again together, so one batch
   * would hold them all for good and nothing would be decided while it commits.
   */
  private fairShare(): number {
    const { inFlightMax, overlapMin } = pipelineLimits;
    return Math.max(overlapMin, Math.ceil((this.waiting.length + this.inFlight) / inFlightMax));
  }

  private async run(batch: Waiting[]): Promise<void> {
    const requests = batch.map(({ request }) => request);
    const results = await processBatch(this.services, this.org, requests);
    this.holdBack(blockedPartitions(requests, results));
    for (const request of requests) for (const claim of claimsOf(request)) this.busy.delete(claim);
    batch.forEach(({ resolve, reject }, index) => {
      const result = results[index];
      if (result === undefined || result instanceof Error) reject(result);
      else resolve(result);
    });
  }

  /** Refuses what waits in these partitions: it is handed over again with what it has to wait for. */
  private holdBack(partitions: ReadonlySet<number>): void {
    if (partitions.size === 0) return;
    const isHeldUp = ({ request }: Waiting) => request.partition !== undefined && partitions.has(request.partition);
    const heldUp = this.waiting.filter(isHeldUp);
    this.waiting.splice(0, this.waiting.length, ...this.waiting.filter((waiting) => !isHeldUp(waiting)));
    for (const { reject } of heldUp) reject(overloaded());
  }

  /**
   * Takes the works, in order, that touch nothing in flight. One that has to wait holds back those after it that touch
   * the same; two works of one key are never in one batch, so the later sees the first's result.
   */
  private takeBatch(): Waiting[] {
    const share = this.fairShare();
    let clients = 0;
    const batch: Waiting[] = [];
    const kept: Waiting[] = [];
    const blocked = new Set(this.busy);
    const now = elapsedMs();
    for (const waiting of this.waiting) {
      // Its client was answered.
      if (waiting.request.endsAt !== undefined && waiting.request.endsAt <= now) {
        waiting.reject(overloaded());
        continue;
      }
      const claims = claimsOf(waiting.request);
      // The inbox hands over pages of partitions, cut to fit: what was left of a page would only wait for its partitions.
      const isClient = waiting.request.partition === undefined;
      const hasRoom = batch.length < pipelineLimits.batchMax && (!isClient || clients < share);
      const isFree = hasRoom && !claims.some((claim) => blocked.has(claim));
      (isFree ? batch : kept).push(waiting);
      if (isFree && isClient) clients += 1;
      for (const claim of isFree ? claims.filter(isKey) : claims) blocked.add(claim);
    }
    for (const { request } of batch) for (const claim of claimsOf(request)) this.busy.add(claim);
    this.waiting.splice(0, this.waiting.length, ...kept);
    return batch;
  }
}

const keyPrefix = 'key ';

function isKey(claim: string): boolean {
  return claim.startsWith(keyPrefix);
}

/**
 * What a work touches, as far as its request tells: its member and its key. Two names of one member are not seen to be
 * the same; the guard of the commit then makes one of the two start over.
 */
function claimsOf({ activity, cancel, key, partition }: PipelineRequest): string[] {
  const { memberID, loyaltyID } = activity;
  return [
    memberID?.toHexString() ?? (loyaltyID === undefined ? [] : `loyalty ${loyaltyID}`),
    cancel ? `target ${cancel.originalId.toHexString()}` : [],
    // Those of one partition keep their order, also where they name their member differently.
    partition === undefined ? [] : `partition ${partition}`,
    key ? `${keyPrefix}${key.key}` : [],
  ].flat();
}

function overloaded(): ServiceError {
  return unavailable('Too many activities are waiting; retry later');
}
