import assert from 'node:assert';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { mongo } from 'mongoose';
import { findBinary } from '#operations/embedded/binaries/findBinary';
import { freePort } from '#operations/embedded/freePort';
import { MONGOD } from '#operations/embedded/servers';
import { makeDataFolder } from './dataFolder';
import { embeddedOptions } from './embeddedOptions';
import { refuseWrites, spawnFillable } from './fullDisk';

/** The data of MongoDB's fail point `failCommand`, with its own names. */
export interface Failure {
  failCommands: string[];
  errorCode?: number;
  closeConnection?: boolean;
  errorLabels?: string[];
  writeConcernError?: { code: number; codeName?: string; errmsg: string };
  blockConnection?: boolean;
  blockTimeMS?: number;
}

/** One mongod of the set. */
export interface Node {
  port: number;
  /** Suspends the process (SIGSTOP) until `thaw`; its sockets stay open. */
  freeze(): void;
  thaw(): void;
  /** Kills the process with SIGKILL, like a crash. */
  kill(): Promise<void>;
  restart(): Promise<void>;
  /** From now on its disk takes no more writes. It usually ends of that; `kill` and `restart` bring it back. */
  fillDisk(): void;
  command(command: mongo.Document): Promise<mongo.Document>;
}

/** A separate replica set of three real mongods, in which a test can cause failures. */
export interface TestReplicaSet {
  uri(database: string): string;
  nodes: readonly Node[];
  primary(): Promise<Node>;
  secondaries(): Promise<Node[]>;
  /** Makes the primary fail the next `times` of these commands. A second call replaces the first. */
  fail(failure: Failure, times: number): Promise<void>;
  /** Ends the effect of `fail`. */
  heal(): Promise<void>;
  /** Makes the primary step down at once. It cannot become primary again for 5 s. */
  stepDown(): Promise<void>;
  close(): Promise<void>;
}

const name = 'faults';

/** Starts three mongods that elect a new primary within about two seconds. */
export async function startReplicaSet(): Promise<TestReplicaSet> {
  const dir = makeDataFolder('loyalty-set-');
  const options = embeddedOptions(dir);
  const binary = await findBinary(MONGOD, { ...options, explicit: options.mongodBinary });
  const nodes: RunningNode[] = [];
  for (let n = 0; n < 3; n += 1) nodes.push(await startNode(binary, path.join(dir, String(n))));
  const members = nodes.map(({ port }, _id) => ({ _id, host: `127.0.0.1:${port}` }));
  const settings = { electionTimeoutMillis: 1500, heartbeatIntervalMillis: 500 };
  await nodes[0]?.command({ replSetInitiate: { _id: name, members, settings } });
  const close = async () => {
    await Promise.all(nodes.map((node) => node.close()));
    rmSync(dir, { recursive: true, force: true });
  };
  const set = { ...controls(nodes), nodes, close };
  await set.primary();
  return set;
}

function controls(nodes: readonly Node[]): Omit<TestReplicaSet, 'nodes' | 'close'> {
  const hosts = nodes.map(({ port }) => `127.0.0.1:${port}`).join(',');
  const states = () => Promise.all(nodes.map(async (node) => ({ node, state: await stateOf(node) })));
  const primary = async () => {
    let found: Node | undefined;
    await until(async () => {
      found = (await states()).find(({ state }) => state === 'primary')?.node;
      return found !== undefined;
    });
    assert(found);
    return found;
  };
  return {
    uri: (database) => `mongodb://${hosts}/${database}?replicaSet=${name}`,
    primary,
    secondaries: async () => (await states()).flatMap(({ node, state }) => (state === 'secondary' ? [node] : [])),
    async fail(data, times) {
      await (await primary()).command({ configureFailPoint: 'failCommand', mode: { times }, data });
    },
    async heal() {
      await Promise.all(nodes.map((node) => node.command({ configureFailPoint: 'failCommand', mode: 'off' })));
    },
    async stepDown() {
      await (await primary()).command({ replSetStepDown: 5, secondaryCatchUpPeriodSecs: 1, force: true });
    },
  };
}

/** Waits until a check is true; the limit is long, for busy machines. @throws AssertionError after 90 s */
async function until(isDone: () => Promise<boolean>): Promise<void> {
  const giveUpAt = Date.now() + 90_000;
  while (!(await isDone())) {
    assert(Date.now() < giveUpAt, 'the replica set does not come up');
    await sleep(50);
  }
}

/** A frozen node says nothing. */
const helloMaxMs = 3000;

async function stateOf(node: Node): Promise<string> {
  const silence = sleep(helloMaxMs).then((): mongo.Document => ({}));
  const hello = await Promise.race([node.command({ hello: 1 }).catch((): mongo.Document => ({})), silence]);
  if (hello.isWritablePrimary) return 'primary';
  return hello.secondary ? 'secondary' : 'away';
}

interface RunningNode extends Node {
  close(): Promise<void>;
}

async function startNode(binary: string, dbPath: string): Promise<RunningNode> {
  mkdirSync(dbPath);
  const { port, first } = await spawnOnFreePort(binary, dbPath);
  const child = { current: first };
  const client = new mongo.MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
    serverSelectionTimeoutMS: 3000,
    connectTimeoutMS: 3000,
    // A busy machine takes long to lock a node, or to step down.
    socketTimeoutMS: 60_000,
    heartbeatFrequencyMS: 500,
  });
  const command = (query: mongo.Document) => client.db('admin').command(query);
  const hasEnded = () => child.current.exitCode !== null || child.current.signalCode !== null;
  const kill = async () => {
    if (hasEnded()) return;
    const exited = once(child.current, 'exit');
    child.current.kill('SIGKILL');
    await exited;
  };
  const isUp = () => until(() => isListening(port));
  return {
    port,
    command,
    kill,
    freeze: () => void child.current.kill('SIGSTOP'),
    thaw: () => void child.current.kill('SIGCONT'),
    fillDisk: () => refuseWrites(child.current),
    async restart() {
      child.current = spawnMongod(binary, dbPath, port);
      await isUp();
    },
    async close() {
      await client.close();
      await kill();
    },
  };
}

/**
 * Starts a mongod and waits until it listens: a client whose first attempt failed cannot be used again. Another process
 * may take the port before; then another port is tried.
 */
async function spawnOnFreePort(binary: string, dbPath: string): Promise<{ port: number; first: ChildProcess }> {
  const port = await freePort();
  const first = spawnMongod(binary, dbPath, port);
  const hasEnded = () => first.exitCode !== null || first.signalCode !== null;
  await until(async () => hasEnded() || saysReady(dbPath));
  return hasEnded() ? spawnOnFreePort(binary, dbPath) : { port, first };
}

/** Tells whether the mongod itself listens: another process may listen on a port that it wants. */
function saysReady(dbPath: string): boolean {
  const log = logOf(dbPath);
  return existsSync(log) && readFileSync(log, 'utf8').includes(MONGOD.readyText);
}

function logOf(dbPath: string): string {
  return path.join(dbPath, 'mongod.log');
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
}

function spawnMongod(binary: string, dbPath: string, port: number): ChildProcess {
  const parameters = ['enableTestCommands=1', 'diagnosticDataCollectionEnabled=false'];
  const args = [
    ['--dbpath', dbPath, '--port', String(port), '--bind_ip', '127.0.0.1', '--nounixsocket'],
    ['--replSet', name, '--oplogSize', '200', '--wiredTigerCacheSizeGB', '0.25', '--noscripting'],
    ['--quiet', '--logpath', logOf(dbPath), '--logappend'],
    ...parameters.map((parameter) => ['--setParameter', parameter]),
  ];
  const child = spawnFillable(binary, args.flat(), 'ignore');
  // This also ends mongod when the test ends without closing the set.
  process.once('exit', () => child.kill('SIGKILL'));
  return child;
}
