import { registerSchedules } from '#operations/jobs/registerSchedules';
import { schedules } from '#operations/jobs/schedules';
import { openTestServer } from '../../support/server';

let server: Awaited<ReturnType<typeof openTestServer>>;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

const state = async () => (await server.as('reader').get('/jobs/state')).body;

test('before any worker runs, every timer is overdue with an unknown date', async () => {
  const { timers, inbox } = await state();
  expect(timers.map(({ name }: { name: string }) => name)).toEqual(schedules.map(({ name }) => name));
  for (const timer of timers) expect(timer).toMatchObject({ lastFinishedAt: null, nextAt: null, isOverdue: true });
  expect(inbox).toEqual({ waiting: 0, oldestAt: null });
});

test('a worker schedules its timers, and an accepted activity waits in the inbox of its org only', async () => {
  await registerSchedules(server.services);
  await server
    .as('client')
    .post('/activities/bulk?async=true', [
      { type: 'Accrual', loyaltyID: 'unknown', srcChannelType: 'POS', value: 1, externalTxnId: 'waits' },
    ]);
  const { timers, queues, inbox, processes } = await state();
  for (const { nextAt } of timers) expect(Date.parse(nextAt)).toBeGreaterThan(0);
  expect(queues.map(({ name }: { name: string }) => name)).toEqual(['activities', 'webhooks', 'timers']);
  // The first run of a timer is due at once, or soon.
  expect(queues[2].waiting + queues[2].delayed).toBe(schedules.length);
  expect([inbox.waiting, Date.parse(inbox.oldestAt) > 0]).toEqual([1, true]);
  expect(processes).toEqual([]);
});

test('the state has everything else while Redis does not answer', async () => {
  server.services.redis.disconnect();
  const { queues, timers } = await state();
  expect([queues, timers.length]).toEqual([null, schedules.length]);
});
