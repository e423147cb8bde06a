import { currencies } from '#base/schema/currencies';
import { definitionChecks } from '#commands/doctor/definitionChecks';
import { runChecks } from '#commands/doctor/runChecks';
import type { Member } from '#records/members/member';
import { refusals } from '../support/refusals';
import { addWorld, earnRule, openWorld, type World } from '../support/world';
import { activityApi } from './activityApi';

let world: World;
let member: Member;
beforeAll(async () => {
  world = await openWorld({ rules: [earnRule], policies: [{ primary: true }], program: { currencyCode: 'USD' } });
  member = await world.addMember({ loyaltyID: 'L' });
});
afterAll(() => world.close());

let posted = 0;
function purchase(fields: object) {
  posted += 1;
  return { type: 'Accrual', loyaltyID: 'L', value: 5, externalTxnId: `c${posted}`, ...fields };
}
const client = () => world.server.as('ledger-admin');

const points = async () => Number((await activityApi(world).purse(member._id)).balance);

const others = currencies.filter((code) => code !== 'USD');
/** Every currency is checked in one bulk of a few; the sample is drawn over the whole list. */
const sample = others.filter((_, index) => index % 12 === 0);

test.each([...sample, 'JPY', 'EUR'])('%s is not added to dollars: post, dry run and cancel', async (currencyCode) => {
  const before = await points();
  for (const query of ['', '?persist=false']) {
    const refused = await client().post(`/activity${query}`, purchase({ currencyCode }));
    expect([refused.status, ...refusals(refused)]).toEqual([422, 'currencyCode currency']);
    expect(refused.body.errors[0].message).toBe(`is ${currencyCode}, but the amounts of program main are in USD`);
  }
  const { body } = await client().post('/activity', purchase({ currencyCode: 'USD' }));
  expect(body.result.data.status).toBe('Processed');
  const cancel = {
    type: 'Cancellation',
    originalTxnId: body.result.data.activityId,
    externalTxnId: `x${currencyCode}`,
  };
  const answer = await client().post('/activity', { ...cancel, currencyCode });
  expect(refusals(answer)).toEqual(['currencyCode currency']);
  expect(await points()).toBe(before + 5);
});

const noCodes = [
  ['eur', 'EUR'],
  ['€', 'EUR'],
  ['$', 'USD'],
  ['usd ', 'USD'],
  ['EURO', undefined],
  ['XXX', undefined],
  ['840', undefined],
  ['Us', undefined],
] as const;

test.each(noCodes)('%j is refused as the currency of an activity and of a program', async (currencyCode, meant) => {
  const hint = meant === undefined ? '' : ` (did you mean "${meant}"?)`;
  const message = `must be a currency code of ISO 4217 in capital letters, such as EUR${hint}`;
  const errors = [{ path: 'currencyCode', kind: 'currency', message }];
  expect((await client().post('/activity', purchase({ currencyCode }))).body.errors).toMatchObject(errors);
  expect((await client().post('/activity?async=true', purchase({ currencyCode }))).body.errors).toMatchObject(errors);
  const bulk = await client().post('/activities/bulk?async=true', [purchase({ currencyCode })]);
  expect(bulk.body[0].error.errors).toMatchObject(errors);
  const program = await client().post('/programs', { code: 'p', name: 'P', currencyCode });
  expect([program.status, program.body.errors]).toMatchObject([422, errors]);
});

test('a program without a currency accepts every code, and one with a currency accepts activities without one', async () => {
  const own = await addWorld(world, { rules: [earnRule], policies: [{ primary: true }] });
  await own.addMember({ loyaltyID: 'L' });
  const other = own.server.as('ledger-admin');
  for (const currencyCode of sample) {
    const { body } = await other.post('/activity', purchase({ currencyCode }));
    expect([currencyCode, body.result?.data.status]).toEqual([currencyCode, 'Processed']);
  }
  const { body } = await client().post('/activity', purchase({}));
  expect(body.result.data.status).toBe('Processed');
});

test('every currency of this runtime is in the list, which has none twice', () => {
  expect(
    Intl.supportedValuesOf('currency').filter((code) => /^[A-Z]{3}$/.test(code) && !currencies.includes(code)),
  ).toEqual([]);
  expect(new Set(currencies).size).toBe(currencies.length);
});

test('an asynchronous activity in another currency ends in Error with the reason, and gives nothing', async () => {
  const before = await points();
  const sent = purchase({ currencyCode: 'JPY' });
  expect((await client().post('/activity?async=true', sent)).status).toBe(202);
  await activityApi(world).drain();
  const status = await client().get(`/activity/status/${sent.externalTxnId}`);
  expect(status.body.status).toBe('Error');
  expect(JSON.stringify(status.body)).toContain('the amounts of program main are in USD');
  expect(await points()).toBe(before);
});

test('doctor names a program with an invalid stored currency; the program is read and works', async () => {
  const { db, redis, config } = world.services;
  await db.collection('programs').updateOne({ _id: world.program._id }, { $set: { currencyCode: 'XYZ' } });
  const path = `/programs/${world.program._id}`;
  expect((await client().get(path)).body.currencyCode).toBe('XYZ');
  const at = { db, redis, config, isEmbedded: false, now: new Date(), nodeVersion: process.version };
  const found = (await runChecks(at, [definitionChecks])).find(({ name }) => name === 'definitions.currencies');
  expect(found).toMatchObject({ status: 'warning', found: 'no codes of ISO 4217: program main (XYZ)' });
  expect((await client().put(path, { name: 'Renamed' })).status).toBe(200);
  expect((await client().post('/activity', purchase({}))).body.result.data.status).toBe('Processed');
});
