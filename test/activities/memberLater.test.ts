import type { Services } from '#server/services/services';
import { importing } from '../exchange/imports/importing';
import { earnRule, openWorld, redeemRule, type World } from '../support/world';
import { type ActivityApi, activityApi } from './activityApi';

let world: World;
let acting: ActivityApi;
let services: Services;
let count = 0;
beforeAll(async () => {
  world = await openWorld({ rules: [earnRule, redeemRule] });
  acting = activityApi(world);
  services = world.services;
});
afterAll(() => world.close());

const status = async (key: string) => (await world.server.as('client').get(`/activity/status/${key}`)).body;
const comes = (loyaltyID: string) =>
  importing(world).imported({ kind: 'members', content: `loyaltyID,program\n${loyaltyID},main\n` });
const histories = (externalTxnId: string) =>
  services.db.collection('activityhistories').countDocuments({ externalTxnId });
const accrual = () => {
  count += 1;
  return { type: 'Accrual', loyaltyID: `LATE-${count}`, value: 40, externalTxnId: `LATER-${count}` };
};

/** Posts an activity of nobody, which ends in Error. */
async function refused(body: ReturnType<typeof accrual>) {
  const posted = await acting.post(body, '?async=true');
  expect(posted.status).toBe(202);
  await acting.drain();
  const ended = await status(body.externalTxnId);
  expect(ended).toMatchObject({ status: 'Error', result: { errors: [{ code: 1500 }] } });
}

const ways: [string, (body: object) => Promise<{ status: number; body: unknown }>][] = [
  ['posted at once', (body) => acting.post(body)],
  ['posted to be processed later', (body) => acting.post(body, '?async=true')],
  ['posted in bulk', (body) => world.server.as('client').post('/activities/bulk?async=true', [body])],
];

test.each(ways)(
  'a transaction number that was refused for its member is free, and %s it counts exactly once',
  async (_how, post) => {
    const body = accrual();
    await refused(body);
    // Nobody has come: it is refused again, and the number stays free.
    await post(body);
    await acting.drain();
    expect(await histories(body.externalTxnId)).toBe(0);
    await comes(body.loyaltyID);
    const answers = await Promise.all([post(body), post(body), post(body)]);
    await acting.drain();
    await post(body);
    await acting.drain();
    expect(answers.filter(({ status: code }) => code >= 500)).toEqual([]);
    expect(await status(body.externalTxnId)).toMatchObject({ status: 'Processed' });
    expect(await histories(body.externalTxnId)).toBe(1);
  },
);

test('a freed number that is posted in all ways at once counts once, and another body may use it', async () => {
  const body = accrual();
  await refused(body);
  await comes(body.loyaltyID);
  const corrected = { ...body, value: 41 };
  await Promise.all(ways.flatMap(([, post]) => [post(corrected), post(corrected)]));
  await acting.drain();
  expect(await status(body.externalTxnId)).toMatchObject({ status: 'Processed' });
  expect(await histories(body.externalTxnId)).toBe(1);
  const { status: code } = await acting.post(body);
  expect(code).toBe(422);
});

test('a transaction number that was refused for another reason is not free', async () => {
  const body = accrual();
  await comes(body.loyaltyID);
  const refusal = { ...body, type: 'Redemption', value: 5000 };
  await acting.post(refusal, '?async=true');
  await acting.drain();
  expect(await status(body.externalTxnId)).toMatchObject({ status: 'Error' });
  expect((await acting.post(body, '?async=true')).status).toBe(422);
});

test('rows of unknown members and originals fail at first, and the unchanged file counts later', async () => {
  const imports = importing(world);
  const [first, second] = [accrual(), accrual()];
  const nobody = '0123456789abcdef01234567';
  const content = [
    'externalTxnId,type,loyaltyID,memberID,originalTxnId,value',
    `${first.externalTxnId},Accrual,${first.loyaltyID},,,40`,
    `${second.externalTxnId},Accrual,,${nobody},,40`,
    `${second.externalTxnId}-c,Cancellation,,,${nobody},`,
  ].join('\n');
  for (const dryRun of [true, false]) {
    const { counts, errors } = await imports.imported({ kind: 'activities', content, dryRun });
    expect(counts).toMatchObject({ rows: 3, created: 0, failed: 3 });
    const lines = errors.trim().split('\n').slice(1);
    expect(lines[0]).toMatch(/loyaltyID .*\(reference\)/);
    expect(lines[1]).toMatch(/memberID .*\(reference\)/);
    expect(lines[2]).toMatch(/originalTxnId .*\(reference\)/);
  }
  await comes(first.loyaltyID);
  const { counts } = await imports.imported({ kind: 'activities', content });
  expect(counts).toMatchObject({ rows: 3, created: 1, unchanged: 0, failed: 2 });
  await acting.drain();
  expect(await status(first.externalTxnId)).toMatchObject({ status: 'Processed' });
  const again = await imports.imported({ kind: 'activities', content });
  expect(again.counts).toMatchObject({ created: 0, unchanged: 1, failed: 2 });
});

test('an import uses a freed number, and its dry run says so', async () => {
  const body = accrual();
  await refused(body);
  await comes(body.loyaltyID);
  const content = `externalTxnId,type,loyaltyID,value\n${body.externalTxnId},Accrual,${body.loyaltyID},40\n`;
  for (const dryRun of [true, false]) {
    const { counts } = await importing(world).imported({ kind: 'activities', content, dryRun });
    expect(counts).toMatchObject({ created: 1, unchanged: 0, failed: 0 });
  }
  await acting.drain();
  expect(await histories(body.externalTxnId)).toBe(1);
});
