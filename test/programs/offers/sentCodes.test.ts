import { collectionOf } from '#base/db/collections';
import { fillKeys } from '#operations/migrations/fillKeys';
import { memberResource } from '#records/members/member';
import { issuedRewardResource } from '#records/offers/issuedReward';
import { offerResource } from '#records/offers/offer';
import { openWorld, type World } from '../../support/world';

let world: World;
beforeAll(async () => {
  world = await openWorld({
    rules: [
      {
        key: 'issue',
        name: 'Issue',
        status: 'active',
        activityTypes: ['Accrual'],
        conditions: { all: [] },
        actions: [{ type: 'issueReward', reward: 'Mug' }],
      },
    ].slice(0, 0),
    policies: [{ primary: true }],
  });
});
afterAll(() => world.close());

const admin = () => world.server.as('ledger-admin');
const offer = (code: string) =>
  admin().post('/offers', { code, name: code, program: world.program._id, discount: { type: 'points', value: 5 } });
const post = (fields: object) => admin().post('/activity', { type: 'Accrual', loyaltyID: 'M', value: 100, ...fields });

test('two offers cannot differ in case only, and each spelling names the one', async () => {
  await world.addMember({ loyaltyID: 'M' });
  expect((await offer('Ten-Off')).status).toBe(201);
  for (const code of ['TEN-OFF', 'ten-off', 'Ｔen-Off']) {
    const { status, body } = await offer(code);
    expect([status, body.errors]).toEqual([422, [expect.objectContaining({ path: 'code', kind: 'unique' })]]);
  }
  const { body: other } = await offer('TENOFF');
  const renamed = await admin().put(`/offers/${other._id}`, { code: 'TEN-OFF' });
  expect([renamed.status, renamed.body.errors?.[0].path]).toEqual([422, 'code']);
  for (const couponCode of ['Ten-Off', 'TEN-OFF', 'ten-off']) {
    const { body } = await post({ couponCode, lineItems: [{ itemAmount: 100, couponCode: 'tEN-oFF' }] });
    expect(body.result.errors).toEqual([]);
    expect(body.result.data.coupons ?? body.result.data.offers ?? body.result.data).toBeDefined();
  }
  const member = await collectionOf(world.services.db, memberResource).findOne({ loyaltyID: 'M' });
  // Twice the same offer in one activity gives its points once.
  expect(member?.purses[0]?.availBalance).toBe(15);
});

test('an issued code is found in any case and without hyphens, and used once', async () => {
  const { db } = world.services;
  const { body: reward } = await admin().post('/rewards', {
    code: 'MUG',
    name: 'Mug',
    program: world.program._id,
    discount: { type: 'points', value: 1 },
  });
  const made = await world.addMember({ loyaltyID: 'I' });
  const stamp = { org: world.author.org, createdAt: new Date(), updatedAt: new Date() };
  const issued = db.collection(issuedRewardResource.path);
  for (const code of ['7K3M-9QTX-0BWE', 'aB-1', 'AB-1'])
    await issued.insertOne({
      ...stamp,
      code,
      member: made._id,
      reward: (await db.collection('rewards').findOne({ code: 'MUG' }))?._id,
      program: world.program._id,
      status: 'Issued',
    });
  await fillKeys.up(db, { progress: () => undefined, signal: new AbortController().signal });
  const use = async (couponCode: string) => {
    const { body } = await admin().post('/activity', { type: 'Accrual', loyaltyID: 'I', value: 1, couponCode });
    return body.result.errors.length;
  };
  expect(reward.code).toBe('MUG');
  expect(await use('7k3m 9qtx0bwe'.replace(' ', '-'))).toBe(0);
  expect(await use('7K3M9QTX0BWE')).toBe(1);
  // Codes that differ in case only are found as they are.
  expect(await use('ab-1')).toBe(1);
  expect(await use('aB-1')).toBe(0);
  expect(await use('AB-1')).toBe(0);
});

test('a referral code is found in any case and without hyphens', async () => {
  const referrer = await world.addMember({ loyaltyID: 'R' });
  for (const referralCode of [referrer.referralCode.toLowerCase(), referrer.referralCode.replaceAll('-', '')]) {
    const { body } = await admin().post('/activity', { type: 'Referral', loyaltyID: 'M', value: 1, referralCode });
    expect(body.result.errors).toEqual([]);
  }
});

test('earlier offers that differ in case only stay, and only the oldest is found in any case', async () => {
  const { db } = world.services;
  const offers = collectionOf(db, offerResource);
  await offer('dup');
  const [first] = await offers.find({ code: 'dup' }).toArray();
  if (!first) throw new Error('missing');
  const { _id, codeKey: _key, ...fields } = first;
  await offers.updateOne({ _id }, { $unset: { codeKey: 1 } });
  await db.collection('offers').insertOne({ ...fields, code: 'DUP' });
  for (let n = 0; n < 2; n += 1)
    await fillKeys.up(db, { progress: () => undefined, signal: new AbortController().signal });
  const keys = await offers
    .find({ code: { $in: ['dup', 'DUP'] } })
    .sort({ _id: 1 })
    .toArray();
  expect(keys.map(({ codeKey }) => codeKey)).toEqual(['dup', undefined]);
});

test('a username works in any case, and a password in any form of Unicode', async () => {
  const password = 'Ein Paßwort mit Ä'.normalize('NFD');
  expect((await admin().post('/users', { username: 'Mia@Shop', password, roles: ['reader'] })).status).toBe(201);
  for (const username of ['mia@shop', 'MIA@SHOP', 'Ｍia@Shop']) {
    const again = await admin().post('/users', { username, password, roles: ['reader'] });
    expect([again.status, again.body.errors?.[0]]).toEqual([
      422,
      expect.objectContaining({ path: 'username', kind: 'unique' }),
    ]);
    const login = await world.server.as('admin').post('/login', { username, password: password.normalize('NFC') });
    expect(login.status).toBe(200);
  }
  for (const username of ['SYSTEM@x', 'Key@x', 'ＯＩＤＣ@x'])
    expect((await admin().post('/users', { username, password, roles: [] })).status).toBe(422);
});
