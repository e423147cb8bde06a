import type { ObjectId } from 'bson';
import type { Lot } from '#records/points/lot';

/** How a queue sorts lots: by `time`, then by the date on which they were earned, then by id. */
export interface LotOrder {
  readonly time: (lot: Lot) => number;
  /** The points of a lot that count in this queue. A lot with 0 of them is not in the queue. */
  readonly points: (lot: Lot) => number;
}

/** The order of burning: the lot that expires soonest is first, lots that never expire are last. */
export const burnOrder: LotOrder = {
  time: ({ dtExpiresOn }) => dtExpiresOn?.getTime() ?? never,
  points: (lot) => lot.availablePoints,
};

/** The order of release: the lot whose escrow ends soonest is first. */
export const releaseOrder: LotOrder = {
  time: ({ dtEscrowsOn }) => dtEscrowsOn.getTime(),
  points: (lot) => lot.escrowedPoints,
};

/**
 * For lots that expire by inactivity. They have no date of their own: all expire at the `inactiveOn` of their purse.
 */
export const inactivityOrder: LotOrder = {
  time: () => never,
  points: (lot) => (lot.expiresByInactivity && !lot.dtExpiresOn ? lot.availablePoints : 0),
};

/** Below 0 when `a` comes before `b`; two lots that compare as 0 are the same lot. */
export function compareLots(a: Lot, b: Lot, { time }: LotOrder): number {
  return time(a) - time(b) || a.dtEarned.getTime() - b.dtEarned.getTime() || compareIds(a._id, b._id);
}

/**
 * The order in which points that repaid debt are restored: the latest repayment first, by time, then by journal `seq`.
 */
export function repaymentOrder(a: Lot, b: Lot): number {
  const byDate = (b.repaidAt?.getTime() ?? 0) - (a.repaidAt?.getTime() ?? 0);
  return byDate || (b.repaidSeq ?? 0) - (a.repaidSeq ?? 0) || compareIds(b._id, a._id);
}

/** Below 0 when `a` comes before `b`, byte by byte. */
function compareIds(a: ObjectId, b: ObjectId): number {
  return a === b ? 0 : Buffer.compare(a.id, b.id);
}

/** Later than any date. It is finite, so that two lots that never expire differ by 0 and not by NaN. */
const never = Number.MAX_SAFE_INTEGER;

/** Lots in an order. A queue is immutable: it is replaced, never changed in place. */
export interface LotQueue {
  readonly lots: readonly Lot[];
  /** Points of the first lot and of all that share its time. */
  readonly firstPoints: number;
}

/**
 * The lots of a purse with available points, in burn order, and its lots in escrow, in the order of release. Available
 * lots that expire by inactivity are also in a queue of their own.
 */
export interface LotQueues {
  readonly available: LotQueue;
  readonly escrow: LotQueue;
  readonly inactivity: LotQueue;
}

const emptyQueue: LotQueue = { lots: [], firstPoints: 0 };

/** The queues of a purse without points. */
export const emptyQueues: LotQueues = { available: emptyQueue, escrow: emptyQueue, inactivity: emptyQueue };

/** Sorts lots of one purse into queues. */
export function queueLots(lots: readonly Lot[]): LotQueues {
  const queueOf = (order: LotOrder) => {
    const ordered = lots.filter((lot) => order.points(lot) > 0).sort((a, b) => compareLots(a, b, order));
    return { lots: ordered, firstPoints: firstPoints(ordered, order) };
  };
  return { available: queueOf(burnOrder), escrow: queueOf(releaseOrder), inactivity: queueOf(inactivityOrder) };
}

/** The queues after a lot changed; `before` is undefined when the lot is new. */
export function requeue(queues: LotQueues, before: Lot | undefined, after: Lot): LotQueues {
  return {
    available: requeueIn(queues.available, before, after, burnOrder),
    escrow: requeueIn(queues.escrow, before, after, releaseOrder),
    inactivity: requeueIn(queues.inactivity, before, after, inactivityOrder),
  };
}

function requeueIn(queue: LotQueue, before: Lot | undefined, after: Lot, order: LotOrder): LotQueue {
  const old = before && order.points(before) > 0 ? before : undefined;
  const next = order.points(after) > 0 ? after : undefined;
  if (!old && !next) return queue;
  const lots = [...queue.lots];
  // The lot may move in the queue, because its dates can be changed by hand.
  if (old) lots.splice(insertIndex(lots, old, order), 1);
  if (next) lots.splice(insertIndex(lots, next, order), 0, next);
  const time = timeOfFirst(queue.lots, order);
  if (time !== timeOfFirst(lots, order)) return { lots, firstPoints: firstPoints(lots, order) };
  // The sum is adjusted, not recomputed: when all lots expire at the end of a year, they all share the first time.
  const pointsAt = (lot: Lot | undefined) => (lot && order.time(lot) === time ? order.points(lot) : 0);
  return { lots, firstPoints: queue.firstPoints - pointsAt(old) + pointsAt(next) };
}

function timeOfFirst([first]: readonly Lot[], { time }: LotOrder): number | undefined {
  return first && time(first);
}

function firstPoints(lots: readonly Lot[], order: LotOrder): number {
  const time = timeOfFirst(lots, order);
  let sum = 0;
  for (const lot of lots) {
    if (order.time(lot) !== time) break;
    sum += order.points(lot);
  }
  return sum;
}

/** How many lots come before this one. */
function insertIndex(lots: readonly Lot[], lot: Lot, order: LotOrder): number {
  let [from, to] = [0, lots.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (compareLots(lots[middle] as Lot, lot, order) < 0) from = middle + 1;
    else to = middle;
  }
  return from;
}
