import assert from 'node:assert';
import diagnostics from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Connection } from 'mongoose';
import { connect } from '#base/db/connect';
import { stopwatch } from '../../support/givenTime';
import { type TestStores, testStores } from '../../support/stores';

const sockets: Socket[] = [];
const remember = (message: unknown) => void sockets.push((message as { socket: Socket }).socket);

let stores: TestStores;
let db: Connection;

beforeAll(async () => {
  diagnostics.subscribe('net.client.socket', remember);
  stores = testStores();
  db = await connect(stores.mongodbUri, { maxPoolSize: 1 });
});

afterAll(async () => {
  diagnostics.unsubscribe('net.client.socket', remember);
  await db.close();
  await stores.drop();
});

/** Runs a command and returns the socket that took it: the only one of the pool. */
async function pooledSocket(): Promise<Socket> {
  const before = new Map(sockets.map((socket) => [socket, socket.bytesWritten]));
  await db.collection('stuck').insertOne({ text: 'x'.repeat(50_000) });
  const found = sockets.find((socket) => socket.bytesWritten - (before.get(socket) ?? 0) > 50_000);
  assert(found);
  return found;
}

/** Loses a connection, and tells whether it did. `isOver` tells whether the command has ended already. */
type Lose = (isOver: () => boolean) => Promise<boolean>;

/** Where the connection is lost: before the driver writes a command, or while it waits to go on writing. */
const moments: Record<string, Lose> = {
  'just before it is written': async () => {
    sockets.at(-1)?.destroy();
    return true;
  },
  'while it is being written': async (isOver) => {
    const isWaiting = ({ destroyed, writableNeedDrain }: Socket) => writableNeedDrain && !destroyed;
    while (!isOver() && !sockets.some(isWaiting)) await nextTurn();
    return sockets.find(isWaiting)?.destroy() !== undefined;
  },
};

test.each(Object.entries(moments))(
  'a command whose connection is lost %s is repeated on another',
  async (name, lose) => {
    let isLost = false;
    let commands = 0;
    // A store that reads fast may take a command whole between two looks at the socket.
    while (!isLost && commands < 50) {
      sockets.splice(0, sockets.length, await pooledSocket());
      commands += 1;
      const takenMs = stopwatch();
      let isOver = false;
      const losing = lose(() => isOver);
      await db.collection('stuck').insertOne({ name, text: 'x'.repeat(15_000_000) });
      isOver = true;
      expect(takenMs()).toBeLessThan(5000);
      isLost = await losing;
    }
    expect(isLost).toBe(true);
    expect(await db.collection('stuck').countDocuments({ name })).toBe(commands);
  },
);
