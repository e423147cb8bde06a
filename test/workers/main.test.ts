import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { environment, type ServiceProcess, startProcess } from '../support/processes';
import { openTestServices, type TestServices } from '../support/services';

let services: TestServices;
let worker: ServiceProcess | undefined;
beforeAll(async () => {
  services = await openTestServices();
});
afterAll(async () => {
  await worker?.kill();
  await services.close();
});

test('a worker process says that it runs, answers health and metrics, and ends with 0 on SIGTERM', async () => {
  worker = await startProcess('workers/main.ts', { ...services.config, METRICS_TOKEN: 'a token for metrics' });
  expect(worker.firstLine).toContain('The worker runs');
  const [url = ''] = /http:\/\/\S+/.exec(worker.firstLine) ?? [];
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${url}${path}`, { headers });
    return [answer.status, await answer.text()] as const;
  };
  expect(await get('/health/live')).toEqual([200, expect.stringContaining('"up"')]);
  expect(await get('/health/ready')).toEqual([200, expect.stringContaining('"ready"')]);
  const forwarded = { 'X-Forwarded-For': '203.0.113.7' };
  expect((await get('/metrics', forwarded))[0]).toBe(401);
  const [status, text] = await get('/metrics', { ...forwarded, Authorization: 'Bearer a token for metrics' });
  expect([status, text]).toEqual([200, expect.stringContaining('process_cpu_user_seconds_total')]);
  for (const path of ['/api/v1/members', '/api/v1/login', '/docs', '/openapi.json'])
    expect((await get(path))[0]).toBe(404);
  expect(await worker.stop()).toBe(0);
});

test('a worker with a taken port says which setting to change', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const WORKER_PORT = String((taken.address() as AddressInfo).port);
  const args = ['--require', './test/support/registerTypeScript.cjs', 'workers/main.ts'];
  const env = { PATH: process.env.PATH, ...environment(services.config), WORKER_PORT };
  const ended = await new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: path.resolve(__dirname, '../..'), env }, (error, _out, stderr) =>
      resolve([error?.code, stderr]),
    );
  });
  expect(ended).toEqual([1, `WORKER_PORT ${WORKER_PORT} is in use; set another, or 0 for any free one\n`]);
  taken.close();
});
