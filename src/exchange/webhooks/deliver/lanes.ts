import { groupBy } from '#base/common/lists/groupBy';
import type { WebhookDelivery } from '#records/webhooks/webhookDelivery';

/** What is known of a delivery that waits. */
export type WaitingDelivery = Pick<WebhookDelivery, '_id' | 'kind' | 'lane' | 'order' | 'nextAttemptAt' | 'since'>;

/** The deliveries of a webhook that wait, in lanes: of each lane only the first may be sent. */
export interface Lanes {
  /** Number of deliveries. */
  size(): number;
  /** The earliest of the deliveries that are first in a lane which is not busy, and that may be sent. */
  next(maySend: (delivery: WaitingDelivery) => boolean): WaitingDelivery | undefined;
  /** Takes a delivery out, or with `waiting` puts that in its place. */
  settle(delivery: WaitingDelivery, waiting?: WaitingDelivery): void;
  /** The first deliveries of all lanes. */
  heads(): WaitingDelivery[];
}

/** Sorts deliveries into lanes. @param busy lanes whose first delivery is being sent; the caller changes it */
export function splitLanes(waiting: readonly WaitingDelivery[], busy: ReadonlySet<string>): Lanes {
  const sorted = [...waiting].sort((a, b) => a.order - b.order);
  const lanes = groupBy(sorted, ({ lane }) => lane);
  let count = waiting.length;
  return {
    size: () => count,
    heads: () => [...lanes.values()].flatMap(([head]) => head ?? []),
    next(maySend) {
      let earliest: WaitingDelivery | undefined;
      for (const [lane, [head]] of lanes) {
        if (!head || busy.has(lane) || (earliest && earliest.order < head.order)) continue;
        if (maySend(head)) earliest = head;
      }
      return earliest;
    },
    settle({ _id, lane: name }, again) {
      const lane = lanes.get(name);
      // A delivery that was queued again in the meantime may have left its lane.
      if (!lane?.[0]?._id.equals(_id)) return;
      if (again) lane[0] = again;
      else {
        lane.shift();
        count -= 1;
      }
      if (lane.length === 0) lanes.delete(name);
    },
  };
}
