import assert from 'node:assert';
import type { TProperties } from '@sinclair/typebox';
import type { ObjectId } from 'bson';
import { type ClientSession, type Collection, type Connection, type Model, mongo } from 'mongoose';
import type { Doc, Resource } from '#base/schema/resource';
import { mongooseSchema } from './mongooseSchema';

/** Returns the Mongoose model of a resource on this connection. Models exist to follow references (decision 42). */
export function modelOf<P extends TProperties>(db: Connection, resource: Resource<P>): Model<Doc<P>> {
  const existing = db.models[resource.name];
  if (existing) return existing as unknown as Model<Doc<P>>;
  return db.model(resource.name, mongooseSchema(resource.shape), resource.path) as unknown as Model<Doc<P>>;
}

/**
 * Returns the driver's collection of a resource. Values are checked and cast at the edge of the service (decision 42).
 */
export function collectionOf<P extends TProperties>(db: Connection, resource: Resource<P>): Collection<Doc<P>> {
  return db.collection<Doc<P>>(resource.path);
}

/**
 * One update by id, as the server's `update` command takes it. It changes one document, or with `multi` all that match.
 */
interface Update {
  q: Record<string, unknown> & { _id: unknown };
  u: Record<string, unknown> | Record<string, unknown>[];
  upsert?: boolean;
  multi?: boolean;
}

type Row = Record<string, unknown> & { _id: ObjectId };

/**
 * Inserts documents of one collection in a transaction, mostly with one command. Without documents it sends nothing.
 * The driver's `insertMany` measures every document before it serializes it, which is slow for a batch of hundreds.
 * @throws MongoServerError 11000 when an id or another unique key is taken
 */
export async function insertAll(db: Connection, session: ClientSession, collection: string, rows: readonly Row[]) {
  for (const documents of chunks(rows)) await run(db, session, { insert: collection, documents, ordered: true });
}

/**
 * Applies updates in a transaction, mostly with one command.
 * @returns how many documents were found or, with `upsert`, inserted
 */
export async function updateAll(
  db: Connection,
  session: ClientSession,
  collection: string,
  updates: readonly Update[],
): Promise<number> {
  let found = 0;
  for (const some of chunks(updates)) {
    const hinted = some.map((update) => ({ ...update, hint: byId }));
    const { n } = await run(db, session, { update: collection, updates: hinted, ordered: true });
    found += n;
  }
  return found;
}

/**
 * The index of each update. Without this hint, MongoDB considers every index that begins with a field of the filter;
 * most begin with `org`.
 */
const byId = { _id: 1 };

/** The most rows of one command. So many accrual items or journal entries stay below the limit of 16 MB. */
const rowsMax = 5000;

function* chunks<T>(rows: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < rows.length; start += rowsMax) {
    yield start === 0 && rows.length <= rowsMax ? rows : rows.slice(start, start + rowsMax);
  }
}

interface WriteReply {
  n: number;
  writeErrors?: mongo.ErrorDescription[];
}

async function run(db: Connection, session: ClientSession, command: mongo.Document): Promise<WriteReply> {
  assert(db.db, 'a transaction has an open connection');
  const reply = (await db.db.command(command, { session, ignoreUndefined: true })) as unknown as WriteReply;
  const [first] = reply.writeErrors ?? [];
  if (first) throw new mongo.MongoServerError(first);
  return reply;
}
