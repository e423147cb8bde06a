import { randomBytes } from 'node:crypto';
import { startSession } from '#access/users/startSession';
import { collectionOf } from '#base/db/collections';
import { findRunning } from '#operations/embedded/findRunning';
import type { Config } from '#platform/infrastructure/config';
import { type Org, orgResource } from '#records/users/org';
import { type User, userResource } from '#records/users/user';
import { serve } from '#server/serve';
import { openServices, type Services } from '#server/services/services';
import { CommandError } from './withDatabase';

/** The API in the process of a command, and who the command is there. */
export interface CommandApi {
  services: Services;
  org: Org;
  /** Sends a request below `/api/v1` as an admin of the org, and reads the JSON of the answer. */
  send(method: 'POST' | 'PATCH', path: string, body: unknown): Promise<{ status: number; body: unknown }>;
}

/** Seconds that the session of a command lasts when its process is killed. */
const sessionSeconds = 600;

/**
 * Serves the API for one command on the stores of the service, on a free port of loopback, and closes it afterwards.
 * The audit names the admin as who.
 * @throws CommandError when no service runs and none is configured, or the org or an admin of it is missing
 */
export async function withApi<T>(config: Config, orgCode: string, work: (api: CommandApi) => Promise<T>): Promise<T> {
  return withServices(config, orgCode, async ({ services, org, admin }) => {
    const { url, close } = await serve(services);
    const closers = [close];
    try {
      const token = await startSession(services, admin, services.clock.now(), sessionSeconds);
      const send = (method: string, path: string, body?: unknown) =>
        request(`${url}/api/v1${path}`, method, token, body);
      closers.push(async () => void (await send('GET', '/myaccount/logout')));
      return await work({ services, org, send });
    } finally {
      for (const each of closers.reverse()) await each();
    }
  });
}

/** Services in the process of a command, and an active admin of an org, in whose name the command writes. */
export interface CommandServices {
  services: Services;
  org: Org;
  admin: User;
}

/**
 * Opens services for one command on the stores of the service, and closes them afterwards.
 * @throws CommandError when no service runs and none is configured, or the org or an admin of it is missing
 */
export async function withServices<T>(
  config: Config,
  orgCode: string,
  work: (opened: CommandServices) => Promise<T>,
): Promise<T> {
  const services = await openServices(apiConfig(config));
  try {
    return await work({ services, ...(await findAdmin(services, orgCode)) });
  } finally {
    await services.close();
  }
}

/** The settings of a command that opens the services: those of the running service, and a silent log. */
export function apiConfig(config: Config): Config {
  const running = findRunning(config.dataDir);
  const MONGODB_URI = config.MONGODB_URI ?? running?.mongodbUri;
  const REDIS_URL = config.REDIS_URL ?? running?.redisUrl;
  if (MONGODB_URI === undefined || REDIS_URL === undefined) {
    throw new CommandError(
      'No service: start it first (npm start), or set MONGODB_URI and REDIS_URL; ' +
        `DATA_DIR is ${config.dataDir}, and nothing runs there`,
    );
  }
  const own = { HOST: '127.0.0.1', PORT: 0, RATE_LIMIT: 0, LOG_LEVEL: 'silent' as const };
  // Only this process reads the token, so no other needs to know its key.
  return { ...config, ...own, MONGODB_URI, REDIS_URL, JWT_SECRET: randomBytes(32).toString('hex') };
}

async function findAdmin({ db }: Services, code: string): Promise<{ org: Org; admin: User }> {
  const org = await collectionOf(db, orgResource).findOne({ code });
  if (!org) throw new CommandError(`There is no org ${code}`);
  const roles = { $in: ['admin' as const, 'ledger-admin' as const] };
  const admin = await collectionOf(db, userResource).findOne({ org: org._id, isActive: true, roles });
  if (!admin) throw new CommandError(`The org ${code} has no active user with the role admin`);
  return { org, admin };
}

async function request(url: string, method: string, token: string, body: unknown) {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const answer = await fetch(url, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  return { status: answer.status, body: (await answer.json()) as unknown };
}
