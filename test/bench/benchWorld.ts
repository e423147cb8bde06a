import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ObjectId } from 'bson';
import { createOrg } from '#access/users/createOrg';
import { startSession } from '#access/users/startSession';
import { collectionOf } from '#base/db/collections';
import { createMember } from '#members/members/createMember';
import { runningPid } from '#operations/embedded/pidFiles';
import { startEmbedded } from '#operations/embedded/startEmbedded';
import { readConfig } from '#platform/infrastructure/config';
import { userResource } from '#records/users/user';
import { openServices, type Services } from '#server/services/services';
import { scripts } from '../../package.json';
import { makePolicy, makeProgram } from '../support/definitions';
import { embeddedOptions } from '../support/embeddedOptions';
import { benchRules } from './benchRules';
import { memoryMbOf } from './memoryMbOf';
import { processorMsOf } from './processorMsOf';

const memberCount = 1000;

/** The flags with which Node runs the API. */
export const nodeFlags = scripts.api.split(' ').slice(1, -1);

/** A process of the service. */
export interface StartedProcess {
  pid: number;
  stop(): Promise<void>;
}

/** A process that serves HTTP: an API, or a worker with its metrics. */
export interface StartedServer extends StartedProcess {
  url: string;
}

/** A command that has ended: its exit code, its last line on stderr, how long it took, and its memory and processor time. */
interface CommandRun {
  code: number;
  lastLine: string;
  ms: number;
  maxMb: number;
  processorMs: number;
}

/** What benches run on: real servers, a seeded org and the built processes of the service. */
export interface BenchWorld {
  services: Services;
  org: ObjectId;
  token: string;
  members: { _id: ObjectId; loyaltyID: string }[];
  /** The process ids of mongod and redis-server. */
  storePids: readonly number[];
  /** A folder for files of the bench; it goes with the world. */
  folder: string;
  /** Replaces the rules in force with this number of bench rules, of which the first may have a budget. */
  useRules(count: number, budget?: { points: number }): Promise<void>;
  /** Starts a built API process of this checkout or of `folder`; resolves once it listens. */
  startApi(folder?: string, settings?: Record<string, string>): Promise<StartedServer>;
  /** Starts a built worker process of this checkout or of `folder`, with or without the roll-up timer; resolves once it works. */
  startWorker(options: { rollsUp: boolean; folder?: string | undefined }): Promise<StartedServer>;
  /** Runs a built command to its end. */
  runCommand(name: 'reconcile', ...args: string[]): Promise<CommandRun>;
  close(): Promise<void>;
}

/** Starts the servers, and seeds 1,000 members and the bench rules. `npm run build` must have run before. */
export async function openBenchWorld(ruleCount = 5): Promise<BenchWorld> {
  const dir = mkdtempSync(path.join(tmpdir(), 'loyalty-bench-'));
  const backing = await startEmbedded({ ...embeddedOptions(path.join(dir, 'data')) });
  const environment = {
    MONGODB_URI: backing.mongodbUri,
    REDIS_URL: backing.redisUrl,
    JWT_SECRET: 'bench key of 32 bytes or more, not a secret',
    RULES_DIR: path.join(dir, 'rules'),
    ORG: 'bench',
    ADMIN_PASSWORD: 'bench password',
    LOG_LEVEL: 'error',
    TOKEN_TTL: '86400',
    PORT: '0',
    WORKER_PORT: '0',
    WEBHOOK_PRIVATE: 'on',
  };
  const ruleFile = path.join(dir, 'rules', 'main', 'rules.json');
  mkdirSync(path.dirname(ruleFile), { recursive: true });
  writeFileSync(ruleFile, JSON.stringify(benchRules(ruleCount)));
  const services = await openServices(readConfig(environment));
  const { org, token, members } = await seed(services);
  return {
    services,
    org,
    token,
    members,
    folder: dir,
    storePids: ['mongod', 'redis-server'].flatMap((name) => runningPid(path.join(dir, 'data'), name) ?? []),
    async useRules(count, budget) {
      writeFileSync(ruleFile, JSON.stringify(benchRules(count, budget)));
      await publish(services, org);
    },
    startApi: (folder, settings) => startServer('api', { ...environment, ...settings }, folder),
    startWorker: ({ rollsUp, folder }) =>
      startServer('worker', { ...environment, ...(rollsUp ? {} : { SCHEDULE_AGGREGATES: '10 hours' }) }, folder),
    runCommand: (name, ...args) => runCommand([...commandOf(name), ...args], environment),
    async close() {
      await services.close();
      await backing.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

async function seed(services: Services) {
  const now = services.clock.now();
  const admin = { username: 'admin', password: 'bench password' };
  const org = await createOrg(services.db, { code: 'bench', admin }, now);
  const user = await collectionOf(services.db, userResource).findOne({ org: org._id, username: 'admin' });
  if (!user) throw new Error('the admin of a new org exists');
  const token = await startSession(services, user, now, 86_400);
  const author = { org: org._id, userId: user._id };
  const program = await makeProgram(services.db, author, { code: 'main' });
  await makePolicy(services.db, author, program, { primary: true });
  await publish(services, org._id);
  const members = [];
  for (let n = 0; n < memberCount; n += 1) {
    members.push(await createMember(services, author, { program: program._id, loyaltyID: `B-${n}` }, now));
  }
  return { org: org._id, token, members };
}

async function publish({ ruleSets }: Services, org: ObjectId): Promise<void> {
  const { errors } = await ruleSets.publish(org);
  if (errors.length > 0) throw new Error(JSON.stringify(errors));
}

async function startServer(name: 'api' | 'worker', environment: Record<string, string>, folder = process.cwd()) {
  const own: { scripts: typeof scripts } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const { firstLine, pid, stop } = await startProcess(own.scripts[name], environment, folder);
  const line = await firstLine;
  const url = /http:\/\/\S+/.exec(line)?.[0];
  if (!url) throw new Error(`the ${name} did not start: ${line}`);
  return { url, pid, stop };
}

/** Starts the command of a script in package.json, which must be `node` with arguments. */
async function startProcess(script: string, environment: Record<string, string>, folder = process.cwd()) {
  const child = spawn(process.execPath, script.split(' ').slice(1), {
    cwd: folder,
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // A bench that fails leaves no process behind.
  const kill = () => child.kill();
  process.once('exit', kill);
  child.once('exit', () => process.removeListener('exit', kill));
  const firstLine = once(child.stdout, 'data').then(([chunk]) => String(chunk));
  return { firstLine, pid: child.pid ?? 0, stop: () => stopProcess(child) };
}

/** What the script of a command runs, without the build before it. */
function commandOf(name: 'reconcile'): string[] {
  const [, command = ''] = scripts[name].split(' exec node ');
  return command.split(' ');
}

async function runCommand(args: string[], environment: Record<string, string>): Promise<CommandRun> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  let maxMb = 0;
  let processorMs = 0;
  let written = '';
  child.stderr.on('data', (chunk) => {
    written += chunk;
  });
  const watch = setInterval(() => {
    maxMb = Math.max(maxMb, memoryMbOf(child.pid ?? 0, 'peak'));
    if (child.exitCode === null) processorMs = processorMsOf(child.pid ?? 0);
  }, 200);
  const [code] = await once(child, 'close');
  clearInterval(watch);
  return {
    code,
    lastLine: written.trim().split('\n').at(-1) ?? '',
    ms: performance.now() - startedAt,
    maxMb,
    processorMs,
  };
}

async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}
