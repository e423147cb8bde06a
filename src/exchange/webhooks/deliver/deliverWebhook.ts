import { elapsedMs } from '#base/common/clock';
import { type AttemptOf, attemptDelivery } from './attemptDelivery';
import type { DeliverServices, Stops } from './deliverServices';
import type { WebhookOfOrg } from './findDue';
import { splitLanes, type WaitingDelivery } from './lanes';
import { type Reading, readWebhook } from './readWebhook';
import { releaseWebhook } from './releaseWebhook';
import { leaseWebhook, type WebhookLease } from './webhookLease';

/**
 * Attempts in flight to one webhook: after a success, and after a failure, so that a receiver that hangs takes one slot
 * of the process. `readEveryMs`: how soon a change of the webhook counts.
 */
export const deliverLimits = { inFlight: 8, inFlightFailing: 1, readEveryMs: 1000 } as const;

/** The deliveries of one webhook by this worker, while it has the lease. */
interface Run {
  services: DeliverServices;
  lease: WebhookLease;
  stops: Stops;
  health: AttemptOf['health'];
  /** Lanes whose first delivery is being sent. */
  busy: Set<string>;
  inFlight: Set<Promise<void>>;
  /** What was settled since the last reading began, which may not have seen it. */
  settled: Map<string, WaitingDelivery | undefined>;
  reading: Reading | undefined;
  readMs: number;
  failure: unknown;
}

/**
 * Delivers what is due to a webhook, until nothing is left to do now. It returns at once when another worker delivers.
 * Deliveries of a member go one after the other, those of several members at once.
 * @throws the driver's error; another worker continues when the lease has ended
 */
export async function deliverWebhook(services: DeliverServices, webhook: WebhookOfOrg, stops: Stops): Promise<void> {
  const lease = await leaseWebhook(services.db, webhook);
  if (!lease) return;
  const { failuresInRow, succeededAt } = lease.state;
  const run: Run = {
    services,
    lease,
    stops,
    health: { failuresInRow, succeededAt },
    busy: new Set(),
    inFlight: new Set(),
    settled: new Map(),
    reading: undefined,
    readMs: Number.NEGATIVE_INFINITY,
    failure: undefined,
  };
  try {
    const isCurrent = await deliverUntilIdle(run);
    await Promise.all(run.inFlight);
    if (run.failure !== undefined) throw run.failure;
    await releaseWebhook(services, lease, isCurrent && run.reading ? { ...run.reading, ...run.health } : undefined);
  } finally {
    void lease.end();
  }
}

/** @returns false when the webhook is gone or another worker has taken over */
async function deliverUntilIdle(run: Run): Promise<boolean> {
  while (mayGoOn(run)) {
    const isLow = run.reading?.hasMore && run.reading.lanes.size() < deliverLimits.inFlight;
    const isOld = elapsedMs() - run.readMs >= deliverLimits.readEveryMs;
    const isFresh = isLow || isOld;
    if (isFresh && !(await readAnew(run))) return false;
    const hasStarted = startDue(run);
    if (run.inFlight.size > 0) await firstToEnd(run.inFlight, deliverLimits.readEveryMs);
    else if (isFresh && !hasStarted && !run.reading?.hasMore) return true;
    else if (!hasStarted) run.readMs = Number.NEGATIVE_INFINITY;
  }
  return true;
}

function mayGoOn({ stops, lease, failure }: Run): boolean {
  return !stops.ending.aborted && lease.isHeld() && failure === undefined;
}

/** @returns false when the webhook is gone or another worker has taken over */
async function readAnew(run: Run): Promise<boolean> {
  run.readMs = elapsedMs();
  const settled = new Map<string, WaitingDelivery | undefined>();
  run.settled = settled;
  const seen = await readWebhook(run.services, run.lease, run.health);
  if (!seen) return false;
  const waiting = seen.waiting.flatMap((each) => {
    const key = each._id.toHexString();
    return settled.has(key) ? (settled.get(key) ?? []) : each;
  });
  run.reading = { ...seen, lanes: splitLanes(waiting, run.busy) };
  return true;
}

/** Starts what may be sent now. @returns false when there was nothing */
function startDue(run: Run): boolean {
  const { reading, inFlight, health, services } = run;
  const limit = health.failuresInRow > 0 ? deliverLimits.inFlightFailing : deliverLimits.inFlight;
  let hasStarted = false;
  while (reading && inFlight.size < limit) {
    const next = reading.lanes.next((delivery) => isDue(delivery, reading, services.clock.now()));
    if (!next) break;
    start(run, reading, next);
    hasStarted = true;
  }
  return hasStarted;
}

function start(run: Run, { webhook, state }: Reading, delivery: WaitingDelivery): void {
  const { services, health, stops, busy, inFlight } = run;
  busy.add(delivery.lane);
  const send = async () =>
    mayGoOn(run) ? attemptDelivery(services, { webhook, state, health, delivery, stops }) : undefined;
  const attempt = services.attemptSlots
    .run(send)
    .then((result) => {
      busy.delete(delivery.lane);
      if (!result) return;
      run.settled.set(delivery._id.toHexString(), result.waiting);
      run.reading?.lanes.settle(delivery, result.waiting);
      if (result.isPaused) run.readMs = Number.NEGATIVE_INFINITY;
      if (result.heldUntil && run.reading) run.reading.state.heldUntil = result.heldUntil;
    })
    .catch((error: unknown) => {
      run.failure ??= error;
    })
    .finally(() => inFlight.delete(attempt));
  inFlight.add(attempt);
}

function isDue({ kind, nextAttemptAt, since }: WaitingDelivery, { webhook, state }: Reading, now: Date): boolean {
  if (kind === 'test') return true;
  if (webhook.status !== 'Active' || (state.heldUntil && now < state.heldUntil)) return false;
  return !nextAttemptAt || nextAttemptAt <= now || (since !== undefined && since < state.activeSince);
}

/** Waits until one of these ends, or `maxMs` milliseconds have passed. */
async function firstToEnd(works: Iterable<Promise<void>>, maxMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, maxMs);
  });
  await Promise.race([...works, late]);
  clearTimeout(timer);
}
