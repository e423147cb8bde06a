import type { Connection } from 'mongoose';

/** One read, as the profiler of MongoDB reports it. */
export interface ProfiledRead {
  collection: string;
  /** The plan of the query, for example `IXSCAN { org: 1, _id: 1 }` or `COLLSCAN`. */
  plan: string;
  documents: number;
  keys: number;
  returned: number;
  command: string;
}

const profileMaxBytes = 100_000_000;

/** Runs `work` and returns all reads that MongoDB executed meanwhile, whichever code sent them. */
export async function readsDuring(db: Connection, work: () => Promise<unknown>): Promise<ProfiledRead[]> {
  const database = db.getClient().db(db.name);
  // By default, the profiler keeps only the last megabyte of what was executed.
  await database.createCollection('system.profile', { capped: true, size: profileMaxBytes });
  await database.command({ profile: 2 });
  try {
    await work();
  } finally {
    await database.command({ profile: 0 });
  }
  const found = await database
    .collection('system.profile')
    .find({ planSummary: { $exists: true }, op: { $in: ['query', 'command', 'getmore', 'update', 'remove'] } })
    .toArray();
  await database.collection('system.profile').drop();
  return found.map(({ ns, planSummary, docsExamined = 0, keysExamined = 0, nreturned = 0, command }) => ({
    collection: String(ns).slice(db.name.length + 1),
    plan: planSummary,
    documents: docsExamined,
    keys: keysExamined,
    returned: nreturned,
    command: JSON.stringify(command).slice(0, 300),
  }));
}
