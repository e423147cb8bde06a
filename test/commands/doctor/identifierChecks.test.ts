import { identifierChecks } from '#commands/doctor/identifierChecks';
import { runChecks } from '#commands/doctor/runChecks';
import { openWorld, type World } from '../../support/world';

let world: World;
beforeAll(async () => {
  world = await openWorld({ rules: [], policies: [{ primary: true }] });
});
afterAll(() => world.close());

const reports = () => {
  const { db, redis, config } = world.services;
  const at = { db, redis, config, isEmbedded: false, now: new Date(), nodeVersion: process.version };
  return runChecks(at, [identifierChecks]);
};

test('a store of this version has no look-alikes', async () => {
  await world.addMember({ loyaltyID: 'S' });
  await world.addMember({ loyaltyID: 'Ärger 1' });
  expect((await reports()).map(({ name, status }) => [name, status])).toEqual([
    ['identifiers.lookAlikes', 'ok'],
    ['identifiers.case', 'ok'],
  ]);
});

test('doctor names records of earlier versions that look like others, with both ids', async () => {
  const { db } = world.services;
  const plain = await world.addMember({ loyaltyID: 'T' });
  const made = await world.addMember({ loyaltyID: 'T-old' });
  await db.collection('members').updateOne({ _id: made._id }, { $set: { loyaltyID: 'T\t', loyaltyIDs: ['T\t'] } });
  const admin = world.server.as('ledger-admin');
  const offer = (code: string) => admin.post('/offers', { code, name: code, program: world.program._id });
  const { body: first } = await offer('TEN');
  const { body: second } = await offer('OTHER');
  await db.collection('offers').updateOne({ code: 'OTHER' }, { $set: { code: 'ten' }, $unset: { codeKey: 1 } });
  const [alike, byCase] = await reports();
  expect(alike).toMatchObject({ status: 'warning' });
  expect(alike?.found).toBe(`members/${made._id} "T\\t" looks like ${plain._id}`);
  expect(byCase).toMatchObject({
    status: 'warning',
    found: `offers/${second._id} ten is ${first._id} in another case`,
  });
});
