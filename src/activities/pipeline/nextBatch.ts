import type { PipelineRequest } from '#activities/state/pipelineRequest';
import { ownKeyPrefix } from '#base/common/ownKeys';

/** What decides which of the waiting requests are in the next batch. */
export interface BatchLimits {
  /** What the batches in flight touch; see {@link busyKeys}. */
  busy: ReadonlySet<string>;
  /** Most requests in the batch. */
  batchMax: number;
  /** Most requests of clients in the batch. */
  clientsMax: number;
  /** The reading of `elapsedMs`. */
  now: number;
}

/** The waiting requests, divided, each part in their order. */
export interface NextBatch<W> {
  batch: W[];
  kept: W[];
  /** The clients of these have received 503 already, or their process has taken them back. */
  late: W[];
}

/**
 * Takes, in order, the requests that touch nothing in flight. A request that must wait blocks later requests that touch
 * the same members. Two requests with one key are never in the same batch, so the second sees the result of the first.
 */
export function nextBatch<W extends { request: PipelineRequest }>(
  waiting: readonly W[],
  { busy, batchMax, clientsMax, now }: BatchLimits,
): NextBatch<W> {
  const parts: NextBatch<W> = { batch: [], kept: [], late: [] };
  const blocked = new Set(busy);
  let clients = 0;
  for (const each of waiting) {
    const { endsAt, isGone, partition } = each.request;
    if ((endsAt !== undefined && endsAt <= now) || isGone?.()) {
      parts.late.push(each);
      continue;
    }
    const keys = busyKeys(each.request);
    // The limit of clients is not for the inbox, which submits whole pages: the rest of a cut page would wait for its
    // partitions.
    const isClient = partition === undefined;
    const hasRoom = parts.batch.length < batchMax && (!isClient || clients < clientsMax);
    if (hasRoom && !keys.some((key) => blocked.has(key))) {
      parts.batch.push(each);
      if (isClient) clients += 1;
      for (const key of keys.filter(isKey)) blocked.add(key);
    } else {
      parts.kept.push(each);
      for (const key of keys) blocked.add(key);
    }
  }
  return parts;
}

const keyPrefix = 'key ';

function isKey(key: string): boolean {
  return key.startsWith(keyPrefix);
}

/**
 * Names what a request touches, as far as the request itself tells: member, original, partition, key. Two requests may
 * name the same member differently. Then the guard of the commit makes one of them start over.
 */
export function busyKeys({ activity, cancel, key, partition, historyId }: PipelineRequest): string[] {
  const { memberID, loyaltyID, externalTxnId } = activity;
  // An occasion and its cancellation may be queued together. The cancellation has to read the history of the occasion.
  const occasion = externalTxnId?.startsWith(ownKeyPrefix) ? (cancel?.originalId ?? historyId) : undefined;
  return [
    memberID?.toHexString() ?? (loyaltyID === undefined ? [] : `loyalty ${loyaltyID}`),
    cancel ? `target ${cancel.originalId.toHexString()}` : [],
    // Requests of one partition keep their order, even when they name their member differently.
    partition === undefined ? [] : `partition ${partition}`,
    key ? `${keyPrefix}${key.key}` : [],
    occasion ? `${keyPrefix}${occasion.toHexString()}` : [],
  ].flat();
}
