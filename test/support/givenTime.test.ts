import { setTimeout as sleep } from 'node:timers/promises';
import { slowness, stopwatch } from './givenTime';

test('the stopwatch counts waiting time and working time', async () => {
  const waitedMs = stopwatch();
  await sleep(300);
  expect(waitedMs() * slowness()).toBeGreaterThan(150);
  const workedMs = stopwatch();
  const { user } = process.cpuUsage();
  while (process.cpuUsage().user - user < 300_000);
  expect(workedMs() * slowness()).toBeGreaterThan(250);
});
