import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ObjectId } from 'bson';
import { type Connection, Error as MongooseError } from 'mongoose';
import { createOrg } from '#access/users/createOrg';
import { startSession } from '#access/users/startSession';
import { collectionOf } from '#base/db/collections';
import { newStamps } from '#base/db/records';
import { hashPassword } from '#platform/auth/passwordHash';
import type { Principal } from '#platform/auth/principal';
import { type Config, readConfig } from '#platform/infrastructure/config';
import type { Org } from '#records/users/org';
import { collectPermissions, type Role, roleNames } from '#records/users/permissions';
import { userResource } from '#records/users/user';
import { openServices, type Services } from '#server/services/services';
import { type TestStores, testStores } from './stores';
import { type TestClock, testClock } from './testClock';

/** The password of every user that tests make. */
export const testPassword = 'correct horse battery';

/** A user with a session that is valid at any time to which a test sets the clock. */
export interface TestUser {
  principal: Principal;
  username: string;
  token: string;
}

/** An org with a user of each role; usernames are `<role>@<org code>`. */
export interface TestOrg {
  org: Org;
  users: Record<Role, TestUser>;
}

/** Services with their own database, an org with users, and a clock that tests can set. */
export interface TestServices extends Services, TestOrg {
  clock: TestClock;
}

/**
 * Opens the real services on an empty database; `close` also empties it. Without settings of their own, several test
 * files of a worker use the same services, one after the other, each in an org of its own.
 */
export async function openTestServices(overrides?: Partial<Config>): Promise<TestServices> {
  const opened = overrides ? await openOn(overrides) : await takeShared();
  const { services, stores, clock } = opened;
  const testOrg = await makeTestOrg(services, 'test');
  const close = async () => {
    if (!overrides) return handBack(opened);
    await services.close();
    await stores.drop();
  };
  return { ...services, clock, close, ...testOrg };
}

/** Services, and what tests change of them. */
interface Opened {
  services: Services;
  stores: TestStores;
  clock: TestClock;
}

async function openOn(overrides: Partial<Config>): Promise<Opened> {
  const stores = testStores();
  const clock = testClock();
  const config: Config = {
    ...readConfig({ LOG_LEVEL: 'silent', PORT: '0', JWT_SECRET: 'test key of 32 bytes or more, not secret' }),
    MONGODB_URI: stores.mongodbUri,
    REDIS_URL: stores.redisUrl,
    REDIS_PREFIX: stores.redisPrefix,
    ...overrides,
  };
  const services = await openPatiently(config, clock);
  await keepExpired(services.db);
  return { services, stores, clock };
}

/**
 * Services that the last test file of this worker has handed back, for the next one: to open and close services costs
 * as much as dozens of requests. They close when no file takes them soon, so that the worker can end.
 */
let spare: (Opened & { closing: NodeJS.Timeout }) | undefined;

/** How long services wait for the next test file. */
const spareMs = 400;

async function takeShared(): Promise<Opened> {
  if (!spare) return openOn({ ORG: 'test', rulesDir: ownFolder() });
  const taken = spare;
  spare = undefined;
  clearTimeout(taken.closing);
  return taken;
}

/** Folders for rules, which exist as long as this process. */
const ownFolders: string[] = [];
process.once('exit', () => {
  for (const folder of ownFolders) rmSync(folder, { recursive: true, force: true });
});

function ownFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'loyalty-rules-'));
  ownFolders.push(folder);
  return folder;
}

async function handBack(opened: Opened): Promise<void> {
  const { services, stores, clock } = opened;
  await services.pipeline.idle();
  await services.ruleSets.close();
  if (spare || services.db.readyState !== 1 || services.redis.status !== 'ready') return end(opened);
  await stores.empty(services.db);
  for (const name of readdirSync(services.config.rulesDir)) {
    rmSync(path.join(services.config.rulesDir, name), { recursive: true });
  }
  // Another world of the file may have been handed back meanwhile.
  if (spare) return end(opened);
  clock.follow();
  const closing = setTimeout(() => void endSpare(), spareMs);
  spare = { ...opened, closing };
}

/** Closes the services that no file has taken. Without workers, the run calls this before its stores end. */
async function endSpare(): Promise<void> {
  if (!spare) return;
  const { services, stores, closing } = spare;
  spare = undefined;
  clearTimeout(closing);
  await services.close();
  stores.giveBack();
}

declare global {
  var endSpareServices: (() => Promise<void>) | undefined;
}
globalThis.endSpareServices = endSpare;

async function end({ services, stores }: Opened): Promise<void> {
  await services.close();
  await stores.drop();
}
/** Opens services. A machine that stands still for seconds, as virtual ones do, must not fail the tests of a whole file. */
async function openPatiently(config: Config, clock: TestClock, tries = 5): Promise<Services> {
  try {
    return await openServices(config, { clock });
  } catch (error) {
    if (!(error instanceof MongooseError.MongooseServerSelectionError) || tries === 1) throw error;
    return openPatiently(config, clock, tries - 1);
  }
}

/** Opens a second set of services on the same stores, like another process. The caller must close it. */
export async function openAlongside(services: TestServices): Promise<Services> {
  return openServices(services.config, { clock: services.clock });
}

/** Makes an org with a user of each role. */
export async function makeTestOrg(services: Services, code: string): Promise<TestOrg> {
  passwordHash ??= hashPassword(testPassword);
  const admin = { username: `founder@${code}`, password: testPassword };
  const org = await createOrg(services.db, { code, admin }, services.clock.now());
  const made = await Promise.all(
    roleNames.map(async (role) => [role, await makeTestUser(services, org, `${role}@${code}`, [role])] as const),
  );
  return { org, users: Object.fromEntries(made) as Record<Role, TestUser> };
}

/** Makes a user of an org, with a token. */
export async function makeTestUser(
  services: Services,
  org: Pick<Org, '_id'>,
  username: string,
  roles: Role[],
): Promise<TestUser> {
  passwordHash ??= hashPassword(testPassword);
  const id = new ObjectId();
  const user = {
    ...newStamps({ org: org._id, userId: id }, services.clock.now(), id),
    username,
    roles,
    passwordHash: await passwordHash,
    isActive: true,
  };
  await collectionOf(services.db, userResource).insertOne(user);
  const token = await startSession(services, user, new Date('2000-01-01T00:00:00.000Z'), centurySeconds);
  const session = { org: org._id, userId: id, username, sessionId: new ObjectId() };
  return { principal: { ...session, permissions: collectPermissions(roles, services.resources) }, username, token };
}

const centurySeconds = 100 * 365 * 86_400;

/** The hash of `testPassword`, made once because hashing is slow on purpose. */
let passwordHash: Promise<string> | undefined;

/** Turns off TTL indexes, because MongoDB would delete expired records by the machine's clock, not by the test's. */
async function keepExpired(db: Connection): Promise<void> {
  await db.db?.admin().command({ setParameter: 1, ttlMonitorEnabled: false });
}
