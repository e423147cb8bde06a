import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fillDemo } from '../../../src/operations/demo/fillDemo';
import type { Role } from '../../../src/records/users/permissions';
import { openTestServer, type TestServer } from '../../../test/support/server';
import type { TestServices } from '../../../test/support/services';
import { type Browsing, openBrowser } from './browser';

/** A served console with the demo program, and a browser for it. */
export interface ConsoleWorld {
  server: TestServer & { services: TestServices };
  /**
   * Opens a window at a path below `/console` whose user has signed in with a role, in a browser of a language. Nothing
   * moves in it: tests would wait for that.
   */
  signedIn(role: Role, path?: string, locale?: string): Promise<Browsing>;
  /** Opens a window at the page to sign in. */
  anonymous(): Promise<Browsing>;
  /** The username of the user with a role; the password of all is `testPassword`. */
  usernameOf(role: Role): string;
  close(): Promise<void>;
}

interface ConsoleWorldSettings extends NonNullable<Parameters<typeof openTestServer>[0]> {
  /** Leaves the demo out: the org has users and nothing else. */
  isEmpty?: boolean;
}

/** Serves the console and the API with the rules of the demo in force. */
export async function openConsoleWorld({ isEmpty, ...settings }: ConsoleWorldSettings = {}): Promise<ConsoleWorld> {
  const rulesDir = path.resolve(__dirname, '../../../rules');
  const server = await openTestServer({ rulesDir, ORG: 'test', ...settings });
  const { services } = server;
  if (!isEmpty) await fillDemo(services, services.org);
  await services.ruleSets.start();
  const browser = await openBrowser(server.url).catch(async (error: unknown) => {
    // An open server would keep the run from ending.
    await server.close();
    throw error;
  });
  const usernameOf = (role: Role) => services.users[role].username;
  return {
    server,
    usernameOf,
    anonymous: () => browser.open(),
    async signedIn(role, path = '/', locale = 'en-US') {
      const browsing = await browser.open({ locale, reducedMotion: 'reduce' });
      const { token, username, principal } = services.users[role];
      await browsing.beginAs({ token, username, permissions: [...principal.permissions] });
      await browsing.go(path);
      return browsing;
    },
    async close() {
      await browser.close();
      await server.close();
    },
  };
}

/** A console with a folder of rules of its own, in which it may publish. It begins with the rules of the demo. */
export async function openPublishingWorld(
  settings: ConsoleWorldSettings = {},
): Promise<ConsoleWorld & { rulesDir: string }> {
  const rulesDir = await mkdtemp(path.join(tmpdir(), 'loyalty-rules-'));
  if (!settings.isEmpty) await cp(path.resolve(__dirname, '../../../rules'), rulesDir, { recursive: true });
  const world = await openConsoleWorld({ rulesDir, ...settings });
  return {
    ...world,
    rulesDir,
    async close() {
      await world.close();
      await rm(rulesDir, { recursive: true, force: true });
    },
  };
}
