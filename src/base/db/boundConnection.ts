import assert from 'node:assert';
import type { ClientSession, Connection } from 'mongoose';

const sessions = new WeakMap<object, ClientSession>();

/** The session of a connection that {@link boundTo} made; undefined of any other. */
export function boundSession(db: Connection): ClientSession | undefined {
  return sessions.get(db);
}

/** Runs one operation of a session after the other. */
type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** How many arguments come before the options, for each operation that a bound collection has. */
const argumentsBefore: Readonly<Record<string, number>> = {
  find: 1,
  findOne: 1,
  countDocuments: 1,
  aggregate: 1,
  distinct: 2,
  insertOne: 1,
  insertMany: 1,
  deleteOne: 1,
  deleteMany: 1,
  updateOne: 2,
  updateMany: 2,
  replaceOne: 2,
  findOneAndUpdate: 2,
  findOneAndDelete: 1,
};

/**
 * A view of a connection whose every read and write is part of the open transaction of a session. So independent use
 * cases take effect together or not at all: a transaction that they open is this one. Operations run one after the
 * other, as a session needs it.
 * @param session in an open transaction; who opened it also commits it
 */
export function boundTo(db: Connection, session: ClientSession): Connection {
  const inTurn = createTurns();
  const bound = new Proxy(db, {
    get(target, name) {
      if (name === 'collection') return (path: string) => boundCollection(target.collection(path), session, inTurn);
      return boundValue(target, name);
    },
  });
  sessions.set(bound, session);
  return bound;
}

function createTurns(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work, work);
    last = mine.catch(() => undefined);
    return mine;
  };
}

function boundCollection(collection: object, session: ClientSession, inTurn: InTurn): object {
  return new Proxy(collection, {
    get(target, name) {
      const before = argumentsBefore[String(name)];
      const value = boundValue(target, name);
      if (typeof value !== 'function') return value;
      assert(before !== undefined, `${String(name)} is no operation of a bound collection`);
      return (...args: unknown[]) => {
        const whole = [...args.slice(0, before), ...Array<unknown>(Math.max(0, before - args.length)).fill({})];
        const operate = () => value(...whole, optionsIn(session, args[before])) as unknown;
        if (name !== 'find' && name !== 'aggregate') return inTurn(async () => operate());
        return readInTurn(operate() as Cursor, inTurn);
      };
    },
  });
}

interface Cursor {
  next(): Promise<unknown>;
  close(): Promise<void>;
}

/** The cursor's own `toArray` iterates over the cursor, so it cannot run within one turn. */
function readInTurn(cursor: Cursor, inTurn: InTurn): Cursor {
  const next = cursor.next.bind(cursor);
  const close = cursor.close.bind(cursor);
  async function* records() {
    try {
      for (let each = await inTurn(next); each !== null; each = await inTurn(next)) yield each;
    } finally {
      await inTurn(close);
    }
  }
  const toArray = async () => {
    const all: unknown[] = [];
    for await (const each of records()) all.push(each);
    return all;
  };
  return Object.assign(cursor, { [Symbol.asyncIterator]: records, toArray });
}

/** A transaction has the concerns of its session; its operations may name none. */
function optionsIn(session: ClientSession, options: unknown): object {
  const { readConcern, writeConcern, readPreference, ...others } = (options ?? {}) as Record<string, unknown>;
  return { ...others, session };
}

function boundValue(target: object, name: string | symbol): unknown {
  const value: unknown = Reflect.get(target, name, target);
  return typeof value === 'function' ? (value.bind(target) as unknown) : value;
}
