import type { Lot } from '../../records/points/lot';
import { burnOrder, inactivityOrder, releaseOrder } from './lotOrder';
import { type LotOrder, type LotTree, treeOf, withLot, withoutLot } from './lotTree';

/**
 * The lots of a purse that hold points: available ones in burn order, those in escrow in the order of release. Available
 * ones that expire by inactivity stand in a queue of their own as well.
 */
export interface LotQueues {
  readonly available: LotTree | undefined;
  readonly escrow: LotTree | undefined;
  readonly inactivity: LotTree | undefined;
}

/** The queues of a purse without points. */
export const emptyQueues: LotQueues = { available: undefined, escrow: undefined, inactivity: undefined };

/** Sorts lots of one purse into queues. */
export function queuesOf(lots: readonly Lot[]): LotQueues {
  return {
    available: queueOf(lots, burnOrder),
    escrow: queueOf(lots, releaseOrder),
    inactivity: queueOf(lots, inactivityOrder),
  };
}

/** The queues after a lot changed from one value to another; `before` is undefined when it is new. */
export function requeue(queues: LotQueues, before: Lot | undefined, after: Lot): LotQueues {
  return {
    available: requeueIn(queues.available, before, after, burnOrder),
    escrow: requeueIn(queues.escrow, before, after, releaseOrder),
    inactivity: requeueIn(queues.inactivity, before, after, inactivityOrder),
  };
}

function queueOf(lots: readonly Lot[], order: LotOrder): LotTree | undefined {
  return treeOf(
    lots.filter((lot) => order.points(lot) > 0).sort((a, b) => order.compare(a, b)),
    order,
  );
}

function requeueIn(queue: LotTree | undefined, before: Lot | undefined, after: Lot, order: LotOrder) {
  const wasIn = before !== undefined && order.points(before) > 0;
  const isIn = order.points(after) > 0;
  // A lot whose dates were changed by hand has another place.
  const hasLeft = wasIn && (!isIn || order.compare(before, after) !== 0);
  const rest = hasLeft ? withoutLot(queue, before, order) : queue;
  return isIn ? withLot(rest, after, order) : rest;
}
