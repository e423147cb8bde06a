import { ObjectId } from 'bson';
import { collectionOf } from '#base/db/collections';
import { newStamps } from '#base/db/records';
import { activityHistoryResource } from '#records/activities/activityHistory';
import { archiveVolumeResource } from '#records/archives/archiveVolume';
import { refusals } from '../../support/refusals';
import { earnRule, openWorld, type World } from '../../support/world';

let world: World;
beforeAll(async () => {
  world = await openWorld({ rules: [earnRule] });
});
afterAll(() => world.close());

let programs = 0;
/** A program with a member, which may have bought something. */
async function program(currencyCode: string | undefined, activity?: object) {
  programs += 1;
  const admin = world.server.as('ledger-admin');
  const body = { code: `money-${programs}`, name: 'Money', ...(currencyCode && { currencyCode }) };
  const { _id } = (await admin.post('/programs', body)).body;
  const { _id: memberID } = (await admin.post('/members', { program: _id })).body;
  const buy = async (fields: object) => admin.post('/activity', { type: 'Accrual', memberID, ...fields });
  if (activity) expect((await buy(activity)).body.result.data.status).toBe('Processed');
  const path = `/programs/${_id}`;
  const change = (fields: object) => admin.put(path, fields);
  return { path, change, buy, read: async () => (await admin.get(path)).body };
}

const answered = async (answer: ReturnType<Awaited<ReturnType<typeof program>>['change']>) => {
  const one = await answer;
  return one.status === 200 ? one.body.currencyCode : refusals(one);
};
const inUse = ['currencyCode inUse'];

test('the currency of a program changes until an activity has an amount, and then stays', async () => {
  const { change, buy, path } = await program('USD');
  expect(await answered(change({ currencyCode: 'EUR' }))).toBe('EUR');
  await buy({ value: 0, currencyCode: 'EUR' });
  expect(await answered(change({ currencyCode: 'CHF' }))).toBe('CHF');
  await buy({ value: 5 });
  const before = await world.server.as('admin').get(path);
  for (const other of ['EUR', 'JPY']) {
    const refused = await change({ currencyCode: other, name: 'Other' });
    expect(refusals(refused)).toEqual(inUse);
    expect(refused.body.errors[0].message).toMatch(/^cannot change: the program has amounts in CHF/);
  }
  expect((await world.server.as('admin').get(path)).body).toEqual(before.body);
  expect(await answered(change({ currencyCode: 'CHF', name: 'Named' }))).toBe('CHF');
});

test('a cleared currency is still that of the amounts: another one is neither added nor set', async () => {
  const { change, buy, read } = await program('USD', { value: 5 });
  expect(await answered(change({ currencyCode: null }))).toBeUndefined();
  expect(await read()).not.toHaveProperty('amountsIn');
  const refused = await buy({ value: 700, currencyCode: 'JPY' });
  expect([refused.status, ...refusals(refused)]).toEqual([422, 'currencyCode currency']);
  for (const fields of [{}, { currencyCode: 'USD' }]) {
    expect((await buy({ value: 5, ...fields })).body.result.data.status).toBe('Processed');
  }
  expect(await answered(change({ currencyCode: 'JPY' }))).toEqual(inUse);
  expect(await answered(change({ currencyCode: null, name: 'Cleared' }))).toBeUndefined();
  expect(await answered(change({ currencyCode: 'USD' }))).toBe('USD');
  expect(await answered(change({ currencyCode: 'EUR' }))).toEqual(inUse);
});

test('a currency that was cleared before there were amounts leaves nothing', async () => {
  const { change, buy } = await program('USD');
  expect(await answered(change({ currencyCode: null }))).toBeUndefined();
  expect((await buy({ value: 5, currencyCode: 'JPY' })).body.result.data.status).toBe('Processed');
});

test('a currency is kept for amounts that are only in the archive', async () => {
  const { change, buy, path } = await program('USD', { value: 5 });
  const { services } = world;
  // The latest three activities of a member stay in the database.
  for (let n = 0; n < 3; n += 1) {
    services.clock.advance(1000);
    await buy({ value: 0 });
  }
  const _id = ObjectId.createFromHexString(path.slice('/programs/'.length));
  const author = { org: services.org._id, userId: services.org.systemUser };
  const amounts = () =>
    collectionOf(services.db, activityHistoryResource).countDocuments({ program: _id, value: { $gt: 0 } });
  expect(await amounts()).toBe(1);
  const volumes = collectionOf(services.db, archiveVolumeResource);
  const volume = { name: 'v', state: 'settled' as const, before: services.clock.now(), path: '/', removed: 1 };
  await collectionOf(services.db, activityHistoryResource).deleteMany({ program: _id, value: { $gt: 0 } });
  expect(await answered(change({ currencyCode: 'EUR' }))).toBe('EUR');
  const { insertedId } = await volumes.insertOne({
    ...newStamps(author, services.clock.now()),
    ...volume,
    amountsOf: [_id],
  });
  expect(await answered(change({ currencyCode: 'USD' }))).toEqual(inUse);
  await volumes.updateOne({ _id: insertedId }, { $set: { amountsOf: [new ObjectId()] } });
  expect(await answered(change({ currencyCode: 'USD' }))).toBe('USD');
  // A volume of an earlier version does not say of which programs its amounts are.
  await volumes.updateOne({ _id: insertedId }, { $unset: { amountsOf: '' } });
  expect(await answered(change({ currencyCode: 'JPY' }))).toEqual(inUse);
  await volumes.deleteOne({ _id: insertedId });
});

test('a program without a currency gets its first one, also with amounts', async () => {
  const { change } = await program(undefined, { value: 5 });
  expect(await answered(change({ currencyCode: 'JPY' }))).toBe('JPY');
  expect(await answered(change({ currencyCode: 'EUR' }))).toEqual(inUse);
});

test('an invalid currency that an earlier version stored can be fixed', async () => {
  const { path, change } = await program('USD', { value: 5 });
  await world.services.db
    .collection('programs')
    .updateOne({ code: `money-${programs}` }, { $set: { currencyCode: '$' } });
  expect((await world.server.as('admin').get(path)).body.currencyCode).toBe('$');
  expect(await answered(change({ currencyCode: 'USD' }))).toBe('USD');
});
