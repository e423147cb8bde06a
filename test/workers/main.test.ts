import { startProcess } from '../support/processes';
import { openTestServices, type TestServices } from '../support/services';

let services: TestServices;
beforeAll(async () => {
  services = await openTestServices();
});
afterAll(() => services.close());

test('a worker process says that it runs, and SIGTERM ends it with 0', async () => {
  const worker = await startProcess('workers/main.ts', services.config);
  expect(worker.firstLine).toContain('The worker runs');
  expect(await worker.stop()).toBe(0);
}, 60_000);
