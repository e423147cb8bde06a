import { randomBytes } from 'node:crypto';
import { mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Client, clientsOf, type Response } from '../../support/client';
import { startApi, startProcess } from '../../support/processes';
import { openTestServices, type TestServices } from '../../support/services';
import { untilAnswered } from '../../support/untilAnswered';

/** What a careful client sends: a request whose answer is lost or late is sent again, a POST with its key. */
export interface CarefulClient {
  get(path: string): Promise<Response>;
  post(path: string, body?: unknown): Promise<Response>;
  put(path: string, body: unknown): Promise<Response>;
  patch(path: string, body: unknown): Promise<Response>;
  delete(path: string): Promise<Response>;
}

/** Two API processes and a worker whose clocks stand still until they are moved together. */
export interface MovedFleet {
  services: TestServices;
  rulesDir: string;
  admin: CarefulClient;
  /** Clients of both API processes, in turn, that may do everything with members and points. */
  client(): CarefulClient;
  moveTo(at: number): void;
  close(): Promise<void>;
}

/** Starts the processes at a moment. */
export async function startMovedFleet(at: number): Promise<MovedFleet> {
  const folder = mkdtempSync(path.join(tmpdir(), 'loyalty-years-'));
  const clockFile = path.join(folder, 'clock');
  const file = openSync(clockFile, 'w');
  const services = await openTestServices({ rulesDir: path.join(folder, 'rules'), ORG: 'test', RATE_LIMIT: 0 });
  const moveTo = (moment: number) => {
    writeSync(file, new Uint8Array(new Float64Array([moment]).buffer), 0, 8, 0);
    services.clock.set(new Date(moment));
  };
  moveTo(at);
  const options = { clockFile };
  const [one, other, worker] = await Promise.all([
    startApi(services.config, options),
    startApi(services.config, options),
    startProcess('workers/main.ts', services.config, options),
  ]);
  const { token } = services.users['ledger-admin'];
  const clients = [one, other].map(({ url }) => careful(clientsOf(url)(token)));
  let turn = 0;
  return {
    services,
    rulesDir: services.config.rulesDir,
    admin: careful(clientsOf(one.url)(services.users.admin.token)),
    client() {
      turn += 1;
      return clients[turn % 2] as CarefulClient;
    },
    moveTo,
    async close() {
      await Promise.all([one, other, worker].map((each) => each.kill()));
      await services.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function careful(client: Client): CarefulClient {
  let keys = 0;
  const name = randomBytes(6).toString('hex');
  return {
    get: (route) => untilAnswered(() => client.get(route)),
    put: (route, body) => untilAnswered(() => client.put(route, body)),
    patch: (route, body) => untilAnswered(() => client.patch(route, body)),
    delete: (route) => untilAnswered(() => client.delete(route)),
    post(route, body) {
      keys += 1;
      const headers = { 'idempotency-key': `${name}-${keys}` };
      return untilDone(() => client.post(route, body, { headers }));
    },
  };
}

/** Sends a request with a key again while the first one of it is under way. */
async function untilDone(send: () => Promise<Response>): Promise<Response> {
  for (;;) {
    const answer = await untilAnswered(send);
    if (answer.status !== 409 || answer.body.code !== 1270) return answer;
  }
}
