import { elapsedMs } from '#base/common/clock';

/** How long a lease lasts after a renewal, by the clock of the database, and how often its holder renews it. */
export interface LeaseTimes {
  lastsMs: number;
  renewedEveryMs: number;
}

/** Where leases of one kind stand in their records: the names of the fields with the holder and with the end. */
export interface LeaseFields {
  holder: string;
  until: string;
}

/** What takes and renews leases of one kind. All of it is for filters and updates of the caller's own collection. */
export interface Leases {
  /** Filter of the records that nobody holds: their lease has ended, or there was none. */
  free: { $expr: object };
  /** The update that gives a record to a holder, and sets further fields. */
  taken(holder: unknown, set?: object): [{ $set: object }];
  /** The update with which the holder keeps it, and sets further fields. The filter names the holder. */
  renewed(set?: object): [{ $set: object }];
}

/** Expression: this time has come, or `afterMs` milliseconds have passed since it. True of a field that is absent. */
export function isOver(field: string, afterMs = 0): object {
  return { $lte: [afterMs === 0 ? `$${field}` : { $add: [`$${field}`, afterMs] }, '$$NOW'] };
}

/** Expression: the time so many milliseconds from now. */
export function endsIn(ms: number): object {
  return { $add: ['$$NOW', ms] };
}

/** The update of work whose lease is the time since its last sign of life. */
export const isAlive = { $currentDate: { aliveAt: true } } as const;

/** Fields as they are, for the update by a pipeline, in which texts could be expressions. */
export function literals(fields: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, { $literal: value }]));
}

/**
 * Makes what takes and renews leases. Only the clock of the database counts, because those of processes may differ. A lease
 * lets others wait; what must not happen twice is guarded by its holder in the filter of the write itself.
 */
export function defineLeases({ holder: holderField, until, lastsMs }: LeaseFields & LeaseTimes): Leases {
  const end = { [until]: endsIn(lastsMs) };
  return {
    free: { $expr: isOver(until) },
    taken: (holder, set = {}) => [{ $set: { ...literals({ ...set, [holderField]: holder }), ...end } }],
    renewed: (set = {}) => [{ $set: { ...literals(set), ...end } }],
  };
}

/** A lease that is renewed until it is ended. */
export interface KeptLease {
  /** Aborted when the lease was lost: another process may have it now. */
  signal: AbortSignal;
  /** False once another process may have it. */
  isHeld(): boolean;
  /** Renews it now. @returns false when it is lost @throws the driver's error */
  renew(): Promise<boolean>;
  /** Stops renewing, and waits for a renewal in progress. It does not release. */
  end(): Promise<void>;
}

/** What is known of a lease that should be kept. */
export interface KeptSince {
  /** When it was asked for, by `elapsedMs`; by default now. */
  sinceMs?: number;
  /** The reason of the signal when it is lost. */
  reason?: Error;
}

/**
 * Renews a lease repeatedly. A renewal that fails is tried again while the lease lasts.
 * @param renew returns false when another process has the lease
 */
export function keepLease(
  { lastsMs, renewedEveryMs }: LeaseTimes,
  renew: () => Promise<boolean>,
  { sinceMs: askedFirstMs = elapsedMs(), reason }: KeptSince = {},
): KeptLease {
  const lost = new AbortController();
  let sinceMs = askedFirstMs;
  let renewing: Promise<boolean> | undefined;
  const isHeld = () => !lost.signal.aborted && elapsedMs() - sinceMs < lastsMs;
  const renewNow = async () => {
    const askedMs = elapsedMs();
    const isRenewed = await renew();
    if (isRenewed) sinceMs = askedMs;
    else lost.abort(reason);
    return isRenewed;
  };
  const renewOnce = () => {
    renewing ??= renewNow().finally(() => {
      renewing = undefined;
    });
    return renewing;
  };
  const tick = () =>
    renewOnce().catch(() => {
      if (!isHeld()) lost.abort(reason);
    });
  const timer = setInterval(() => void tick(), renewedEveryMs).unref();
  return {
    signal: lost.signal,
    isHeld,
    renew: renewOnce,
    async end() {
      clearInterval(timer);
      await renewing?.catch(() => undefined);
    },
  };
}
