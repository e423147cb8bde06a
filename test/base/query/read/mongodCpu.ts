import { readdirSync, readFileSync } from 'node:fs';
import { mongo } from 'mongoose';
import { testStores } from '../../../support/stores';

/** A connection to a real mongod that measures the CPU time of one command. */
export interface MongodCpu {
  /** The indexes of the texts that a pattern matches. Each element is a text, or the list of texts of one record. */
  matches(pattern: string, options: string, texts: readonly (string | string[])[]): Promise<number[]>;
  /** Milliseconds of mongod's CPU for matching one record, without the time for reading the record. */
  matchMs(pattern: string, options: string, text: string | string[]): Promise<number>;
  close(): Promise<void>;
}

/**
 * Opens one connection, which mongod serves with one thread of this name. /proc gives the CPU time of the thread, so
 * other tests and other load do not count. Without /proc the elapsed time is used.
 */
export async function openMongodCpu(): Promise<MongodCpu> {
  const stores = testStores();
  const client = await new mongo.MongoClient(stores.mongodbUri, { maxPoolSize: 1 }).connect();
  const db = client.db();
  const { pid } = await db.admin().command({ serverStatus: 1 });
  const { connectionId } = await db.command({ hello: 1 });
  const cpuMs = cpuOf(Number(pid), `conn${connectionId}`);
  const matches = async (pattern: string, options: string, texts: readonly (string | string[])[]) => {
    const documents = texts.map((text, at) => ({ at, text }));
    const stages = [{ $documents: documents }, { $match: { text: { $regex: pattern, $options: options } } }];
    const found = await db.aggregate<{ at: number }>([...stages, { $project: { at: 1 } }]).toArray();
    return found.map(({ at }) => at);
  };
  const run = async (pattern: string, options: string, text: string | string[]) => {
    const before = cpuMs();
    await matches(pattern, options, [text]);
    return cpuMs() - before;
  };
  return {
    matches,
    async matchMs(pattern, options, text) {
      const reading = await run('^none of these$', '', text);
      return (await run(pattern, options, text)) - reading;
    },
    async close() {
      await client.close();
      await stores.drop();
    },
  };
}

function cpuOf(pid: number, thread: string): () => number {
  try {
    const tasks = `/proc/${pid}/task`;
    const id = readdirSync(tasks).find((task) => readFileSync(`${tasks}/${task}/comm`, 'utf8').trim() === thread);
    if (id) return () => Number(readFileSync(`${tasks}/${id}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    // This system has no /proc.
  }
  return () => performance.now();
}
