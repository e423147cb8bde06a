import type { Collection, Connection } from 'mongoose';

/** The last success of a timer in any process. Heartbeats belong to the installation, not to an org. */
export interface Heartbeat {
  /** Name of the schedule. */
  _id: string;
  lastFinishedAt: Date;
  everyMs: number;
}

/** Stores the last success of a timer. */
export async function beat(db: Connection, heartbeat: Heartbeat): Promise<void> {
  const { _id, ...set } = heartbeat;
  await heartbeatCollection(db).updateOne({ _id }, { $set: set }, { upsert: true });
}

/** The heartbeats of all timers. */
export function heartbeatCollection(db: Connection): Collection<Heartbeat> {
  return db.collection<Heartbeat>('jobheartbeats');
}
