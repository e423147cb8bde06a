import { randomBytes } from 'node:crypto';
import { serveLimits } from '#platform/http/serveLimits';
import type { Role } from '#records/users/permissions';
import { serve } from '#server/serve';
import type { Services } from '#server/services/services';
import { type Client, clientsOf } from './client';
import { makeTestOrg, openTestServices, type TestOrg, type TestServices } from './services';

/** A listening API with a client for each role. */
export interface TestServer {
  url: string;
  /** Sends without a token. */
  anonymous: Client;
  /** Sends as the test user of a role. */
  as(role: Role): Client;
  /** Sends with another token. */
  withToken(token: string): Client;
  close(): Promise<void>;
}

/** Serves the API on a free port; `close` stops the server, but not the services. */
export async function serveTest(services: Services & TestOrg): Promise<TestServer> {
  const { url, close } = await serve(services, undefined, { ...serveLimits, idleGraceMs: 0 });
  const withToken = clientsOf(url);
  const { users } = services;
  return { url, close, anonymous: withToken(), as: (role) => withToken(users[role].token), withToken };
}

/** Opens new services and serves their API; `close` ends both. */
export async function openTestServer(
  overrides?: Parameters<typeof openTestServices>[0],
): Promise<TestServer & { services: TestServices }> {
  const services = await openTestServices(overrides);
  const server = await serveTest(services);
  const close = async () => {
    await server.close();
    await services.close();
  };
  return { ...server, services, close };
}

/** Makes a new org at a server, and clients of its users. The org ends with the server. */
export async function addOrg<Opened extends TestServer & { services: TestServices }>(server: Opened) {
  const { services } = server;
  const testOrg = await makeTestOrg(services, `org-${randomBytes(4).toString('hex')}`);
  const as = (role: Role) => server.withToken(testOrg.users[role].token);
  return { ...server, services: { ...services, ...testOrg }, as };
}
