import type { Collection, Connection } from 'mongoose';

/** The last success of a timer, whichever process it ran in. Of the installation, not of an org. */
export interface Heartbeat {
  /** Name of the schedule. */
  _id: string;
  lastFinishedAt: Date;
  everyMs: number;
}

/** Records that a timer ran and did all. */
export async function beat(db: Connection, heartbeat: Heartbeat): Promise<void> {
  const { _id, ...set } = heartbeat;
  await heartbeatsOf(db).updateOne({ _id }, { $set: set }, { upsert: true });
}

/** The heartbeats of all timers. */
export function heartbeatsOf(db: Connection): Collection<Heartbeat> {
  return db.collection<Heartbeat>('jobheartbeats');
}
