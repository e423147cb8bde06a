import { createMember } from '#members/members/createMember';
import type { Member } from '#records/members/member';
import { client } from '../support/client';
import { makeProgram } from '../support/definitions';
import { refusals } from '../support/refusals';
import { makeTestOrg } from '../support/services';
import { earnRule, openWorld, type World } from '../support/world';
import { type ActivityApi, activityApi } from './activityApi';

let world: World;
let acting: ActivityApi;
let member: Member;
let purchase: string;

beforeAll(async () => {
  world = await openWorld({ rules: [earnRule] });
  acting = activityApi(world);
  member = await world.addMember();
  purchase = await acting.processed('Accrual', member._id, { value: 10 });
});

afterAll(() => world.close());

/** Sends a request that must change nothing, whatever the answer is. */
async function without<T>(send: () => Promise<T>): Promise<T> {
  const before = await acting.dump();
  const answer = await send();
  expect(await acting.dump()).toEqual(before);
  return answer;
}

const lineItem = (fields: object) => ({ lineItems: [{ itemSKU: 'a' }, fields] });

const badFields: [string, object, string[]][] = [
  ['a value that is a text', { value: '5' }, ['value type']],
  ['a value that is negative', { value: -1 }, ['value minimum']],
  ['a value with a fraction', { value: 1.5 }, ['value type']],
  ['a value of 1e21', { value: 1e21 }, ['value maximum']],
  ['a type that is null', { type: null }, ['type required']],
  ['a line item that is null', { lineItems: [null] }, ['lineItems.0 type']],
  ['a value that is an object', { value: { $gt: 0 } }, ['value type']],
  ['a negative quantity', lineItem({ itemPrice: 1, quantity: -1 }), ['lineItems.1.quantity minimum']],
  ['a quantity with a fraction', lineItem({ quantity: 0.5 }), ['lineItems.1.quantity type']],
  ['a price of 1e21', lineItem({ itemPrice: 1e21 }), ['lineItems.1.itemPrice maximum']],
  ['an unknown field of a line item', lineItem({ colour: 'red' }), ['lineItems.1.colour additionalProperties']],
  ['a product of a line item', lineItem({ product: {} }), ['lineItems.1.product readOnly']],
  ['a coupon of a line item', lineItem({ coupon: {} }), ['lineItems.1.coupon readOnly']],
  ['line items that are no list', { lineItems: {} }, ['lineItems type']],
  ['a tender with a negative value', { tenderItems: [{ value: -5 }] }, ['tenderItems.0.value minimum']],
  ['an unknown field', { points: 5 }, ['points additionalProperties']],
  ['a type that is missing', { type: undefined }, ['type required']],
  ['a type that is a number', { type: 5 }, ['type type']],
  ['a type that is empty', { type: '' }, ['type minLength']],
  ['a memberID that is none', { memberID: 'nobody' }, ['memberID pattern']],
  ['a memberID that is an operator', { memberID: { $ne: null } }, ['memberID type']],
  ['a loyaltyID that is an operator', { loyaltyID: { $regex: '.*' } }, ['loyaltyID type']],
  ['a utcOffset beyond 14 hours', { utcOffset: 841 }, ['utcOffset maximum']],
  ['a utcOffset with a fraction', { utcOffset: 0.5 }, ['utcOffset type']],
  ['an externalTxnId that is too long', { externalTxnId: 'x'.repeat(256) }, ['externalTxnId maxLength']],
  ['an externalTxnId that is empty', { externalTxnId: '' }, ['externalTxnId minLength']],
  ['keys with $ in ext', { ext: { a: [{ $where: '1' }] } }, ['ext additionalProperties']],
  ['keys with dots in ext', { ext: { 'a.b': 1 } }, ['ext additionalProperties']],
  ['an ext of a line item with $', lineItem({ ext: { $set: {} } }), ['lineItems.1.ext additionalProperties']],
  ['an ext that is a list', { ext: [] }, ['ext type']],
  ['1,001 line items', { lineItems: Array.from({ length: 1001 }, () => ({})) }, ['lineItems maxItems']],
  ['two faults at once', { value: '5', colour: 'red' }, ['colour additionalProperties', 'value type']],
];

const readOnly = ['_id', 'org', 'createdAt', 'updatedAt', 'createdBy', 'updatedBy', 'status', 'result', 'location'];
const alsoReadOnly = ['partner', 'coupon', 'currentRule', 'oplogTS', 'bestOffers', 'ruleMatch', 'ruleSet'];

describe('a post answers 422, names the field and changes nothing with', () => {
  test.each(badFields)('%s', async (_name, fields, expected) => {
    const body = { type: 'Accrual', memberID: member._id, ...fields };
    const answer = await without(() => acting.post(body));
    expect(answer).toBeRefused(422, 1200, { message: 'Validation Error' });
    expect(refusals(answer).sort()).toEqual(expected);
  });

  test.each([...readOnly, ...alsoReadOnly])('the computed field %s', async (name) => {
    const answer = await without(() => acting.post({ type: 'Accrual', memberID: member._id, [name]: 'x' }));
    expect([answer.status, refusals(answer)]).toEqual([422, [`${name} readOnly`]]);
  });

  test('9007199254740993, which JSON numbers cannot hold', async () => {
    const raw = `{"type":"Accrual","memberID":"${member._id}","value":9007199254740993}`;
    const answer = await without(() => world.server.as('client').post('/activity', undefined, { raw }));
    expect([answer.status, refusals(answer)]).toEqual([422, ['value maximum']]);
  });

  test.each([['null'], ['[]'], ['"Accrual"'], ['5']])('the body %s', async (raw) => {
    const answer = await without(() => world.server.as('client').post('/activity', undefined, { raw }));
    expect([answer.status, refusals(answer)]).toEqual([422, [' type']]);
  });
});

describe('a post answers 400 and changes nothing with', () => {
  test.each([
    ['NaN', '{"type":"Accrual","value":NaN}'],
    ['Infinity', '{"type":"Accrual","value":Infinity}'],
    ['the key __proto__', '{"type":"Accrual","__proto__":{"value":5}}'],
    ['the key __proto__ in ext', '{"type":"Accrual","ext":{"__proto__":{"a":1}}}'],
    ['a body cut off', '{"type":"Accrual"'],
  ])('%s', async (_name, raw) => {
    expect(await without(() => world.server.as('client').post('/activity', undefined, { raw }))).toBeRefused(400, 1210);
  });
});

const badCancels: [string, object, string[]][] = [
  ['another type', { type: 'Accrual' }, ['type enum']],
  ['a value that is a text', { value: '5' }, ['value type']],
  ['a value of 0', { value: 0 }, ['value minimum']],
  ['a value above what is left', { value: 11 }, ['value maximum']],
  ['a date far ahead', { date: '2999-01-01T00:00:00.000Z' }, ['date date']],
  ['an unknown channel', { srcChannelType: 'Kiosk' }, ['srcChannelType enum']],
  ['an unknown unit', { lineItems: [{ itemSKU: 'A', itemUOM: 'BOX' }] }, ['lineItems.0.itemUOM enum']],
  [
    'line items worth more than 2^53',
    { lineItems: [{ itemSKU: 'A', itemPrice: 2 ** 52, quantity: 4 }] },
    ['lineItems.0.itemPrice maximum', 'value maximum'],
  ],
  ['a line item that is not named', { lineItems: [{ itemSKU: 'A' }, { quantity: 1 }] }, ['lineItems.1._id required']],
  ['a line item that the activity has not', { lineItems: [{ itemSKU: 'A' }] }, ['lineItems.0.itemSKU reference']],
  ['an unknown location', { locationId: '0123456789abcdef01234567' }, ['locationId reference']],
  ['another originalTxnId', { originalTxnId: '0123456789abcdef01234567' }, ['originalTxnId reference']],
  ['another program', { program: '0123456789abcdef01234567' }, ['program reference']],
  ['an unknown originalMemberID', { originalMemberID: '0123456789abcdef01234567' }, ['originalMemberID reference']],
  ['a computed field', { status: 'Processed' }, ['status readOnly']],
  ['an unknown field', { points: 1 }, ['points additionalProperties']],
];

describe('a cancel answers 422, names the field and changes nothing with', () => {
  test.each(badCancels)('%s', async (_name, body, expected) => {
    const answer = await without(() => acting.cancel(purchase, body));
    expect([answer.status, answer.body.code, refusals(answer).sort()]).toEqual([422, 1200, expected]);
  });

  test('a Cancellation posted without originalTxnId', async () => {
    const answer = await without(() => acting.post({ type: 'Cancellation', memberID: member._id }));
    expect([answer.status, refusals(answer)]).toEqual([422, ['originalTxnId required']]);
  });
});

describe('ids of another org are unknown:', () => {
  let guest: Member;
  let theirs: string;

  beforeAll(async () => {
    const other = await makeTestOrg(world.services, 'other');
    const author = { org: other.org._id, userId: other.users.admin.principal.userId };
    const program = await makeProgram(world.services.db, author);
    guest = await createMember(world.services, author, { program: program._id }, world.services.clock.now());
    const post = client(world.server.url, other.users.client.token).post;
    const { body } = await post('/activity', {
      type: 'Accrual',
      memberID: guest._id,
      value: 3,
      externalTxnId: 'theirs',
    });
    theirs = body.result.data.activityId;
  });

  test('the member', async () => {
    expect(await without(() => acting.post({ type: 'Accrual', memberID: guest._id }))).toBeRefused(404, 1500);
  });

  test('the loyalty id', async () => {
    const { status } = await without(() => acting.post({ type: 'Accrual', loyaltyID: guest.loyaltyID }));
    expect(status).toBe(404);
  });

  test('the original member and the program', async () => {
    const pooled = { type: 'Accrual', memberID: member._id };
    const original = await without(() => acting.post({ ...pooled, originalMemberID: guest._id }));
    expect(refusals(original)).toEqual(['originalMemberID reference']);
    const program = await without(() => acting.post({ ...pooled, program: guest.program }));
    expect(refusals(program)).toEqual(['program reference']);
  });

  test('the activity to cancel, its history and its submission', async () => {
    expect((await without(() => acting.cancel(theirs))).status).toBe(404);
    const query = encodeURIComponent(JSON.stringify({ _id: theirs }));
    expect((await without(() => acting.cancel('query', {}, `?query=${query}`))).status).toBe(404);
    const post = { type: 'Cancellation', originalTxnId: theirs };
    expect((await without(() => acting.post(post))).status).toBe(404);
    expect((await world.server.as('client').get(`/activityhistories/${theirs}`)).status).toBe(404);
    expect((await world.server.as('client').get('/activity/status/theirs')).status).toBe(404);
  });
});

test('a purse that cannot hold so many points refuses them with 2900 and stays as it is', async () => {
  const rich = await world.addMember();
  const most = { type: 'Accrual', memberID: rich._id, value: Number.MAX_SAFE_INTEGER };
  await acting.processed('Accrual', rich._id, most);
  const answer = await acting.post(most);
  expect([answer.status, answer.body.result.errors]).toEqual([200, [expect.objectContaining({ code: 2900 })]]);
  expect(await acting.purse(rich._id)).toMatchObject({ balance: Number.MAX_SAFE_INTEGER });
  expect(await acting.mismatches()).toEqual([]);
});

test('an unknown originalTxnId is refused, and a known one is kept', async () => {
  const fields = { type: 'Accrual', memberID: member._id, value: 1 };
  const nothing = { ...fields, originalTxnId: '000000000000000000000000' };
  for (const query of ['', '?async=true']) {
    const answer = await without(() => world.server.as('client').post(`/activity${query}`, nothing));
    expect([answer.status, refusals(answer)]).toEqual([422, ['originalTxnId reference']]);
  }
  expect((await acting.post({ ...fields, originalTxnId: purchase })).status).toBe(200);
});

test('an activity that is too large for a record is 413 and changes nothing', async () => {
  const big = { big: 'x'.repeat(900_000) };
  const manager = world.server.as('program-manager');
  expect((await manager.post('/products', { sku: 'BIG', name: 'Big', ext: big })).status).toBe(201);
  const lookup = { key: 'look', name: 'Look', activityTypes: ['Adjustment'], actions: [{ type: 'lookupProducts' }] };
  await world.publish([earnRule, lookup]);
  const lineItems = Array.from({ length: 20 }, () => ({ itemSKU: 'BIG' }));
  const answer = await without(() => acting.post({ type: 'Adjustment', memberID: member._id, lineItems }));
  expect(answer).toBeRefused(413, 1240);
});
