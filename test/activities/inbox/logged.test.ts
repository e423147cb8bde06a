import { createInboxDrain } from '#activities/inbox/inboxDrain';
import { createLog } from '#base/common/log';
import { runNextSimulation } from '#publishing/simulations/runNextSimulation';
import { earnRule, openWorld, redeemRule, type World } from '../../support/world';

let world: World;
beforeAll(async () => {
  world = await openWorld({ rules: [earnRule, redeemRule] });
});
afterAll(() => world.close());

const lines: Record<string, unknown>[] = [];
const log = createLog({ LOG_LEVEL: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
beforeEach(() => void lines.splice(0));

/** Drains the inbox as a worker with this log does. */
async function drain(linesMax = 0): Promise<Record<string, unknown>[]> {
  const { services } = world;
  const inbox = createInboxDrain({ ...services, log, config: { ...services.config, LOG_LINES_MAX: linesMax } });
  await inbox.drain();
  await inbox.close();
  return lines;
}

const accept = (body: unknown, requestId: string, path = '/activity?async=true') =>
  world.server.as('client').post(path, body, { headers: { 'X-Request-Id': requestId } });

test('the worker logs what it processed with the X-Request-Id of the post, alone or in bulk, and its error', async () => {
  const { _id: memberID } = await world.addMember();
  await accept({ type: 'Accrual', memberID, value: 2 }, 'till-7');
  await accept([{ type: 'Redemption', memberID, value: 100 }], 'night-load', '/activities/bulk?async=true');
  expect(await drain()).toMatchObject([
    { requestId: 'till-7', type: 'Accrual', submission: expect.any(String), msg: 'submission processed' },
    { requestId: 'night-load', type: 'Redemption', code: 2100, msg: 'submission processed' },
  ]);
  for (const line of lines) expect([line.waitedMs, line.durationMs]).toEqual([expect.any(Number), expect.any(Number)]);
});

test('an id that is not safe for logs is replaced before it is stored', async () => {
  const { _id: memberID } = await world.addMember();
  const { headers } = await accept({ type: 'Accrual', memberID, value: 2 }, 'x'.repeat(5000));
  const made = headers.get('x-request-id');
  expect(made).toMatch(/^[\w-]{36}$/);
  expect(await drain()).toMatchObject([{ requestId: made }]);
});

test('under load the log lines of successful activities are sampled, and those with an error are all kept', async () => {
  const { _id: memberID } = await world.addMember();
  const good = Array.from({ length: 50 }, () => ({ type: 'Accrual', memberID, value: 1 }));
  const bad = Array.from({ length: 20 }, () => ({ type: 'Redemption', memberID, value: 1000 }));
  await accept([...good, ...bad], 'load', '/activities/bulk?async=true');
  await drain(5);
  const processed = () => lines.filter(({ msg }) => msg === 'submission processed');
  const leftOut = () => lines.filter(({ msg }) => msg === 'lines of activities left out');
  const reported = () => leftOut().reduce((sum, line) => sum + Number(line.lines), 0);
  while (processed().length + reported() < 70) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(processed().filter(({ code }) => code === 2100)).toHaveLength(20);
  expect(processed().length + reported()).toBe(70);
  expect(reported()).toBeGreaterThan(0);
});

test('a simulation logs the id of the request that started it', async () => {
  const headers = { 'X-Request-Id': 'try-rules' };
  const manager = world.server.as('program-manager');
  expect((await manager.post('/rules/simulate', { rules: [earnRule], program: 'main' }, { headers })).status).toBe(202);
  await runNextSimulation({ ...world.services, log });
  expect(lines).toMatchObject([{ requestId: 'try-rules', simulation: expect.any(String), msg: 'simulation done' }]);
});
