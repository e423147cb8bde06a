import { ObjectId } from 'bson';
import { collectionOf } from '#base/db/collections';
import { newStamps } from '#base/db/records';
import { enumResource } from '#records/catalog/enumValue';
import type { Member } from '#records/members/member';
import { programResource } from '#records/programs/program';
import { makePolicy, makeProgram } from '../../support/definitions';
import { readsDuring } from '../../support/profile';
import { refusals } from '../../support/refusals';
import { earnRule, openWorld, type World } from '../../support/world';
import { type ActivityApi, activityApi, codes } from '../activityApi';

let world: World;
let acting: ActivityApi;
let member: Member;

beforeAll(async () => {
  world = await openWorld({ rules: [earnRule] });
  world.services.clock.set('2026-03-01T12:00:00.000Z');
  acting = activityApi(world);
  member = await world.addMember();
});

afterAll(() => world.close());

const stored = async (fields: Record<string, unknown>) =>
  acting.history(await acting.processed('Accrual', member._id, fields));

const refusedWith = async (fields: Record<string, unknown>) => {
  const answer = await acting.post({ type: 'Accrual', memberID: member._id, ...fields });
  expect(answer).toBeRefused(422, 1200);
  return refusals(answer).sort();
};

describe('a date is stored in UTC from', () => {
  test.each([
    ['a positive offset', '2026-02-03T10:20:30.400+02:30', undefined, '2026-02-03T07:50:30.400Z'],
    ['a negative offset', '2026-02-03T10:20:30.400-02:30', undefined, '2026-02-03T12:50:30.400Z'],
    ['a positive offset without colon', '2026-02-03T10:20:30.400+0230', undefined, '2026-02-03T07:50:30.400Z'],
    ['a negative offset without colon', '2026-02-03T10:20:30.400-0230', undefined, '2026-02-03T12:50:30.400Z'],
    ['UTC, whatever utcOffset says', '2026-02-03T10:20:30.400Z', 120, '2026-02-03T10:20:30.400Z'],
    ['an own offset, whatever utcOffset says', '2026-02-03T10:20:30.400+01:00', 120, '2026-02-03T09:20:30.400Z'],
    ['a local date, as UTC', '2026-02-03T10:20:30.400', undefined, '2026-02-03T10:20:30.400Z'],
    ['a local date with utcOffset', '2026-02-03T10:20:30.400', -300, '2026-02-03T15:20:30.400Z'],
    ['a local date with a space', '2026-02-03 10:20:30.400', 840, '2026-02-02T20:20:30.400Z'],
    ['month/day/year', '02/03/2026 10:20:30', 60, '2026-02-03T09:20:30.000Z'],
    ['a local date without milliseconds', '2026-02-03T10:20:30', undefined, '2026-02-03T10:20:30.000Z'],
    ['an offset without milliseconds', '2026-02-03T10:20:30+0100', undefined, '2026-02-03T09:20:30.000Z'],
    ['29 February of a leap year', '2024-02-29T00:00:00.000Z', undefined, '2024-02-29T00:00:00.000Z'],
    ['the first of 1900', '1900-01-01T00:00:00.000Z', undefined, '1900-01-01T00:00:00.000Z'],
    ['24 hours ahead to the millisecond', '2026-03-02T12:00:00.000Z', undefined, '2026-03-02T12:00:00.000Z'],
  ])('%s', async (_name, date, utcOffset, expected) => {
    const history = await stored({ date, value: 1, ...(utcOffset === undefined ? {} : { utcOffset }) });
    expect(history.date).toBe(expected);
  });
});

describe('a date is refused that is', () => {
  test.each([
    ['30 February', '2026-02-30T10:00:00.000Z'],
    ['29 February of no leap year', '2026-02-29T10:00:00.000Z'],
    ['month 13', '13/01/2026 10:00:00'],
    ['hour 24', '2026-02-03T24:00:00.000Z'],
    ['an offset beyond 14 hours', '2026-02-03T10:00:00.000+15:00'],
    ['a day without a time', '2026-02-03'],
    ['words', 'yesterday'],
    ['a millisecond more than 24 hours ahead', '2026-03-02T12:00:00.001Z'],
    ['before 1900', '1899-12-31T23:59:59.999Z'],
    ['in the year 0', '0000-01-01T00:00:00.000Z'],
  ])('%s', async (_name, date) => {
    expect(await refusedWith({ date })).toEqual(['date date']);
  });
});

test('without a date the activity happened now', async () => {
  expect((await stored({ value: 1 })).date).toBe('2026-03-01T12:00:00.000Z');
});

test('itemAmount defaults to price times quantity, and value to the sum of the amounts', async () => {
  const lineItems = [
    { itemSKU: 'a', itemPrice: 250, quantity: 3 },
    { itemSKU: 'b', itemPrice: 100, quantity: 2, itemAmount: 150.5 },
  ];
  const history = await stored({ lineItems });
  expect(history.value).toBe(950);
  expect(history.lineItems.map(({ itemAmount }: { itemAmount: number }) => itemAmount)).toEqual([750, 150.5]);
  expect((await stored({ lineItems, value: 7 })).value).toBe(7);
});

test('without line items the value defaults to 0', async () => {
  expect(await stored({})).toMatchObject({ value: 0, lineItems: [] });
});

test('a sum of line items beyond 2^53 - 1 is refused, as is an item beyond it', async () => {
  const dear = { itemPrice: 9_007_199_254_740_991, quantity: 1 };
  expect(await refusedWith({ lineItems: [dear, dear] })).toEqual(['value maximum']);
  expect(await refusedWith({ value: 1, lineItems: [dear, { ...dear, quantity: 2 }] })).toEqual([
    'lineItems.1.itemPrice maximum',
  ]);
});

test('types, channels and units that are neither built in nor an Enum are refused by their paths', async () => {
  const fields = { type: 'Visit', srcChannelType: 'Kiosk', lineItems: [{ itemUOM: 'EA' }, { itemUOM: 'BOX' }] };
  expect(await refusedWith(fields)).toEqual(['lineItems.1.itemUOM enum', 'srcChannelType enum', 'type enum']);
});

test('Enums of the right type extend types, channels and units; those of another type or org do not', async () => {
  const add = (type: string, value: string, org = world.author.org) =>
    collectionOf(world.services.db, enumResource).insertOne({
      ...newStamps({ ...world.author, org }, new Date()),
      type,
      value,
    });
  await add('ActivityType', 'Survey');
  await add('ChannelType', 'Robot');
  await add('SalesUOM', 'CRATE');
  await add('SalesUOM', 'Drone');
  await add('ChannelType', 'Alien', new ObjectId());
  const history = await stored({ type: 'Survey', srcChannelType: 'Robot', lineItems: [{ itemUOM: 'CRATE' }] });
  expect(history).toMatchObject({ type: 'Survey', srcChannelType: 'Robot', status: 'Processed' });
  expect(await refusedWith({ srcChannelType: 'Drone' })).toEqual(['srcChannelType enum']);
  expect(await refusedWith({ srcChannelType: 'Alien' })).toEqual(['srcChannelType enum']);
});

test('words that are built in are known without a read of the Enums', async () => {
  const collectionsReadBy = async (fields: object) => {
    const reads = await readsDuring(world.services.db, () => acting.post({ type: 'Accrual', ...fields }));
    return reads.map(({ collection }) => collection);
  };
  const known = { memberID: member._id, value: 1, srcChannelType: 'POS' };
  expect(await collectionsReadBy(known)).not.toContain(enumResource.path);
  expect(await collectionsReadBy({ ...known, srcChannelType: 'Kiosk' })).toContain(enumResource.path);
});

test('an activity names its member by memberID, by loyaltyID or by both', async () => {
  for (const named of [
    { memberID: member._id },
    { loyaltyID: member.loyaltyID },
    { memberID: member._id, loyaltyID: member.loyaltyID },
  ]) {
    const { status, body } = await acting.post({ type: 'Accrual', value: 1, ...named });
    expect([status, body.member._id]).toEqual([200, member._id.toHexString()]);
  }
});

test('ids of two members, or of none, are refused', async () => {
  const other = await world.addMember();
  expect(await refusedWith({ loyaltyID: other.loyaltyID })).toEqual(['loyaltyID reference']);
  const nobody = await acting.post({ type: 'Accrual', value: 1 });
  expect([nobody.status, refusals(nobody)]).toEqual([422, ['memberID required']]);
});

test.each([
  ['memberID', { memberID: new ObjectId() }],
  ['loyaltyID', { loyaltyID: 'nobody' }],
])('an unknown %s answers 404; asynchronously the submission ends in Error', async (_name, named) => {
  expect(await acting.post({ type: 'Accrual', value: 1, ...named })).toBeRefused(404, 1500);
  const accepted = await acting.post({ type: 'Accrual', value: 1, ...named }, '?async=true');
  expect(accepted.status).toBe(202);
  await acting.drain();
  const followed = await world.server.as('client').get(`/activity/status/${accepted.body.externalTxnId}`);
  expect(followed.body).toMatchObject({
    status: 'Error',
    result: { errors: [{ code: 1500 }], data: { activityId: null, status: 'Error' } },
  });
});

test('the program of an activity must be the program of the member', async () => {
  const other = await makeProgram(world.services.db, world.author);
  expect(await refusedWith({ program: other._id })).toEqual(['program reference']);
  expect(await stored({ program: world.program._id, value: 1 })).toMatchObject({
    program: world.program._id.toHexString(),
  });
});

test('originalMemberID is kept beside the pooled member and must exist', async () => {
  const pooled = await world.addMember({ type: 'Pooled' });
  const fields = { memberID: pooled._id, originalMemberID: member._id };
  expect(await stored(fields)).toMatchObject({
    memberID: pooled._id.toHexString(),
    originalMemberID: member._id.toHexString(),
  });
  expect(await refusedWith({ ...fields, originalMemberID: new ObjectId() })).toEqual(['originalMemberID reference']);
});

test('originalMemberID is refused beside a member that is not pooled', async () => {
  const friend = await world.addMember();
  expect(await refusedWith({ originalMemberID: friend._id })).toEqual(['originalMemberID reference']);
});

test('an unknown locationId is refused, and an unknown srcChannelID is accepted', async () => {
  expect(await refusedWith({ locationId: new ObjectId() })).toEqual(['locationId reference']);
  expect(await stored({ srcChannelID: 'store 17' })).toMatchObject({ srcChannelID: 'store 17' });
});

test.each([
  ['partnerCode', { partnerCode: 'nobody' }],
  ['couponCode', { couponCode: 'nothing' }],
  ['couponCode of a line item', { lineItems: [{ itemSKU: 'a', couponCode: 'nothing' }] }],
  ['referralCode', { referralCode: 'nobody' }],
])('an unknown %s ends in error 2500, kept in the history, without effect', async (_name, fields) => {
  const buyer = await world.addMember();
  const answer = await acting.post({ type: 'Accrual', memberID: buyer._id, value: 5, ...fields });
  expect([answer.status, codes(answer)]).toEqual([200, [2500]]);
  expect(answer.body.result.data.status).toBe('Error');
  expect(await acting.history(answer.body.result.data.activityId)).toMatchObject({ status: 'Error', value: 5 });
  expect(await acting.purse(buyer._id)).toMatchObject({ balance: 0 });
});

test('a referral code of a member is accepted', async () => {
  const { referralCode } = await world.addMember();
  expect(await stored({ referralCode, value: 1 })).toMatchObject({ status: 'Processed' });
});

test('a member that is not active ends in error 2200', async () => {
  const idle = await world.addMember({ status: 'Suspended' });
  const answer = await acting.post({ type: 'Accrual', memberID: idle._id, value: 5 });
  expect([answer.status, codes(answer)]).toEqual([200, [2200]]);
  expect(await acting.purse(idle._id)).toMatchObject({ balance: 0 });
});

test('a program that is not active ends in error 2210', async () => {
  const program = await makeProgram(world.services.db, world.author);
  await makePolicy(world.services.db, world.author, program);
  const guest = await world.addMember({ program: program._id });
  await collectionOf(world.services.db, programResource).updateOne(
    { _id: program._id },
    { $set: { status: 'Paused' } },
  );
  const answer = await acting.post({ type: 'Accrual', memberID: guest._id, value: 5 });
  expect([answer.status, codes(answer)]).toEqual([200, [2210]]);
});

test('a program that is not effective at the date of the activity ends in error 2210', async () => {
  const program = await makeProgram(world.services.db, world.author, {
    effective: { from: new Date('2026-01-01'), to: new Date('2026-02-01') },
  });
  await makePolicy(world.services.db, world.author, program);
  const guest = await world.addMember({ program: program._id });
  const at = (date: string) => acting.post({ type: 'Accrual', memberID: guest._id, value: 5, date });
  expect(codes(await at('2025-12-31T23:59:59.999Z'))).toEqual([2210]);
  expect(codes(await at('2026-01-01T00:00:00.000Z'))).toEqual([]);
  expect(codes(await at('2026-01-31T23:59:59.999Z'))).toEqual([]);
  expect(codes(await at('2026-02-01T00:00:00.000Z'))).toEqual([2210]);
});

test('none of these tests leaves a mismatch in the ledgers', async () => {
  expect(await acting.mismatches()).toEqual([]);
});
