import mongoose, { type Connection } from 'mongoose';
import { appName } from './abandonedTransactions';
import { endStuckWrites } from './endStuckWrites';
import { readEveryCursorYielding } from './readYielding';
import { timeouts } from './timeouts';

/**
 * Opens the connection of a process. Writes are majority and journaled, and every wait has a limit ({@link timeouts}).
 */
export async function connect(uri: string, options: { maxPoolSize: number }): Promise<Connection> {
  readEveryCursorYielding();
  const db = mongoose.createConnection(uri, {
    ...options,
    // An `appName` in the URI is the own name that the operator gave these processes.
    ...(/[?&]appName=/i.test(uri) ? {} : { appName }),
    autoIndex: false,
    autoCreate: false,
    bufferCommands: false,
    ignoreUndefined: true,
    // The server stores valid UTF-8 only. Checking it again is slow for a batch of hundreds of documents.
    enableUtf8Validation: false,
    serverSelectionTimeoutMS: timeouts.selectionMs,
    waitQueueTimeoutMS: timeouts.poolMs,
    connectTimeoutMS: timeouts.connectMs,
    heartbeatFrequencyMS: timeouts.heartbeatMs,
    socketTimeoutMS: timeouts.socketMs,
    retryWrites: true,
    retryReads: true,
    w: 'majority',
    journal: true,
    wtimeoutMS: timeouts.majorityMs,
    readConcernLevel: 'majority',
    compressors: ['none'],
  });
  await db.asPromise().catch(async (error: unknown) => {
    await db.destroy();
    throw error;
  });
  endStuckWrites(db);
  return db;
}
