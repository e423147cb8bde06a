import type { Member } from '#records/members/member';
import { earnRule, openWorld, redeemRule, type World } from '../support/world';
import { type ActivityApi, activityApi } from './activityApi';

const now = '2026-03-01T12:00:00.000Z';

let world: World;
let acting: ActivityApi;
let member: Member;
let friend: Member;

beforeAll(async () => {
  world = await openWorld({ rules: [earnRule, redeemRule], policies: [{ primary: true, overdraftLimit: 5 }] });
  world.services.clock.set(now);
  acting = activityApi(world);
});

beforeEach(async () => {
  member = await world.addMember();
  friend = await world.addMember();
});

afterAll(() => world.close());

const define = async (path: string, body: object): Promise<string> =>
  (await world.server.as('admin').post(`/${path}`, body)).body._id;
const userId = (role: 'client' | 'admin') => world.services.users[role].principal.userId.toHexString();

test('a history keeps every field as it was posted, and the ids of line items and tender items', async () => {
  member = await world.addMember({ type: 'Pooled' });
  const program = world.program._id.toHexString();
  const offerId = await define('offers', { code: 'TEN', name: 'Ten off', program });
  const posted = {
    type: 'Accrual',
    date: '2026-02-03T10:20:30.400Z',
    utcOffset: 60,
    value: 950,
    currencyCode: 'EUR',
    program,
    srcChannelType: 'POS',
    srcChannelID: '17',
    partnerCode: 'fuel',
    couponCode: 'TEN',
    externalTxnId: 'all',
    locationId: await define('locations', { number: '17', name: 'Main Street' }),
    loyaltyID: member.loyaltyID,
    memberID: member._id.toHexString(),
    originalMemberID: friend._id.toHexString(),
    referralCode: friend.referralCode,
    referredMember: true,
    lineItems: [
      {
        _id: 'line-1',
        lineNo: 1,
        itemSKU: 'A',
        itemPrice: 250,
        quantity: 3,
        itemAmount: 749.5,
        itemUOM: 'EA',
        type: 'Sale',
        couponCode: 'TEN',
        offerId,
        discountAmount: 12.5,
        productId: await define('products', { sku: 'A', name: 'Coffee' }),
        ext: { aisle: 4 },
      },
    ],
    tenderItems: [
      { _id: 'tender-1', type: 'Card', subType: 'Visa', value: 700, itemNo: 'hash-of-a-card', lineNo: '1' },
      { _id: 'tender-2', type: 'Cash', value: 250, lineNo: '2' },
    ],
    ext: { cashier: 'Ada' },
  };
  await define('partners', { code: 'fuel', name: 'Fuel' });
  const { body } = await acting.post(posted);
  expect(body.result.errors).toEqual([]);
  const history = await acting.history(body.result.data.activityId);
  expect(history).toMatchObject(posted);
  expect(history).toMatchObject({
    _id: body.result.data.activityId,
    status: 'Processed',
    oplogTS: Date.parse(now),
    result: body.result,
    location: { number: '17' },
    partner: { code: 'fuel' },
    coupon: { code: 'TEN' },
    currentRule: { key: 'earn' },
    ruleMatch: [{ key: 'earn', fired: true }],
  });
});

test('a log entry names action, rule, time and type, and an addPoints entry has the purse as its result', async () => {
  const rule = (await world.server.as('admin').get('/rules?key=earn')).body[0]._id;
  const { body } = await acting.post({ type: 'Accrual', memberID: member._id, value: 5 });
  expect(body.result.log).toEqual([
    { action: 'addPoints', rule, time: now, type: 'Accrual', results: expect.any(Object) },
  ]);
  const purse = { _id: expect.stringMatching(/^[0-9a-f]{24}$/), name: 'Points', program: String(world.program._id) };
  expect(body.result.log[0].results).toMatchObject({
    ...purse,
    primary: true,
    overdraftLimit: 5,
    balance: 5,
    availBalance: 5,
    updatedAt: now,
    escrowsIn: 0,
    expiredPoints: 0,
    expiresIn: 0,
    accruals: [{ accruedPoints: 5 }],
  });
});

test('an accrual item names member, activity, rule, purse and program, and shows how much of it is left', async () => {
  const rule = (await world.server.as('admin').get('/rules?key=earn')).body[0]._id;
  const activity = await acting.processed('Accrual', member._id, { value: 5, date: '2026-02-03T10:20:30.400Z' });
  await acting.processed('Redemption', member._id, { value: 2 });
  const [item] = await acting.lots(member._id);
  expect(item).toMatchObject({
    member: String(member._id),
    activity,
    rule,
    purse: String(world.policies[0]?._id),
    purseName: 'Points',
    program: String(world.program._id),
    accruedPoints: 5,
    burnedPoints: 2,
    availablePoints: 3,
    dtEarned: '2026-02-03T10:20:30.400Z',
    dtEscrowsOn: '2026-02-03T10:20:30.400Z',
    hasEscrowed: true,
    hasExpired: false,
    hasBurned: false,
  });
  await acting.processed('Redemption', member._id, { value: 3 });
  expect((await world.server.as('client').get(`/accrualitems/${item._id}`)).body).toMatchObject({
    _id: item._id,
    burnedPoints: 5,
    availablePoints: 0,
    hasBurned: true,
  });
});

test('records are created by the user who posted and changed last by the user who cancelled', async () => {
  const id = await acting.processed('Accrual', member._id, { value: 5 });
  const [item] = await acting.lots(member._id);
  const org = world.author.org.toHexString();
  const made = { org, createdAt: now, updatedAt: now, createdBy: userId('client'), updatedBy: userId('client') };
  expect([await acting.history(id), item]).toMatchObject([made, made]);
  world.services.clock.advance(60_000);
  const later = world.services.clock.now().toISOString();
  await world.server.as('admin').post(`/activity/${id}/cancel`);
  world.services.clock.set(now);
  const changed = { ...made, updatedAt: later, updatedBy: userId('admin') };
  expect([await acting.history(id), (await acting.lots(member._id))[0]]).toMatchObject([changed, changed]);
});

test('a pooled member earns what another member initiated', async () => {
  const pool = await world.addMember({ type: 'Pooled' });
  const id = await acting.processed('Accrual', pool._id, { value: 5, originalMemberID: member._id });
  expect(await acting.history(id)).toMatchObject({
    memberID: String(pool._id),
    originalMemberID: String(member._id),
  });
  const initiated = await world.server
    .as('client')
    .get(`/activityhistories?originalMemberID=${member._id}&populate=originalMemberID`);
  expect(initiated.body).toMatchObject([{ _id: id, originalMemberID: { loyaltyID: member.loyaltyID } }]);
  expect([await acting.balance(pool._id), await acting.balance(member._id)]).toEqual([5, 0]);
  expect(await acting.lots(member._id)).toEqual([]);
});
