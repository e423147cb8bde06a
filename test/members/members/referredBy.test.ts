import type { ObjectId } from 'bson';
import { collectionOf } from '#base/db/collections';
import { memberResource } from '#records/members/member';
import { openWorld, type World } from '../../support/world';

let world: World;
beforeAll(async () => {
  const completes = { type: 'completeReferral', purse: 'Points', points: 5, referrerPoints: 10 };
  const rule = { key: 'refer', name: 'Refer', activityTypes: ['Accrual'], actions: [completes] };
  world = await openWorld({ rules: [rule] });
});
afterAll(() => world.close());

const read = async (id: ObjectId) => (await world.server.as('client').get(`/members/${id}`)).body;
const join = (referredBy: ObjectId) =>
  world.server.as('client').post('/members', { program: world.program._id, referredBy });

test('a member created with referredBy is a Pending referral of that member until a rule completes it', async () => {
  const referrer = await world.addMember();
  const { body, status } = await join(referrer._id);
  const referral = { code: referrer.referralCode, referred: body._id };
  expect([status, body.referredBy]).toEqual([201, `${referrer._id}`]);
  expect(await read(referrer._id)).toMatchObject({ referrals: [{ ...referral, status: 'Pending' }], version: 2 });
  await world.server.as('client').post('/activity', { type: 'Accrual', memberID: body._id, value: 1 });
  expect((await read(referrer._id)).referrals).toEqual([{ ...referral, status: 'Completed' }]);
});

test('ten referred members at once make ten referrals', async () => {
  const referrer = await world.addMember();
  const answers = await Promise.all(Array.from({ length: 10 }, () => join(referrer._id)));
  const { referrals } = await read(referrer._id);
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(201));
  expect(referrals.map(({ referred }: { referred: string }) => referred).sort()).toEqual(
    answers.map(({ body }) => body._id).sort(),
  );
});

test('the survivor of a merged referrer gets the referral, and a refused creation leaves none', async () => {
  const [survivor, merged] = [await world.addMember(), await world.addMember({ loyaltyID: 'taken' })];
  await world.server.as('admin').post(`/members/${survivor._id}/merge`, { memberIds: [merged._id] });
  await join(merged._id);
  const fields = { program: world.program._id, referredBy: survivor._id };
  const refused = await world.server.as('client').post('/members', { ...fields, loyaltyID: 'taken' });
  expect(refused.status).toBe(422);
  expect((await read(survivor._id)).referrals).toMatchObject([{ status: 'Pending' }]);
});

test('an erased referrer gets no referral and does not prevent others from joining', async () => {
  const gone = await world.addMember();
  await world.server.as('admin').delete(`/members/${gone._id}`);
  expect((await join(gone._id)).status).toBe(201);
  const stored = await collectionOf(world.services.db, memberResource).findOne({ _id: gone._id });
  expect(stored?.referrals).toEqual([]);
});

test('another referredBy moves the Pending referral, and an equal one changes nothing', async () => {
  const [first, second, third] = [await world.addMember(), await world.addMember(), await world.addMember()];
  const put = (referredBy: ObjectId | null) => world.server.as('client').put(`/members/${third._id}`, { referredBy });
  expect((await put(first._id)).status).toBe(200);
  expect((await read(first._id)).referrals).toMatchObject([{ status: 'Pending', referred: `${third._id}` }]);
  expect((await put(second._id)).body.referredBy).toBe(`${second._id}`);
  await put(second._id);
  expect((await read(first._id)).referrals).toEqual([]);
  expect((await read(second._id)).referrals).toHaveLength(1);
  expect((await put(null)).body).not.toHaveProperty('referredBy');
  expect((await read(second._id)).referrals).toEqual([]);
});

test('no member refers itself, and a completed referral stays', async () => {
  const [referrer, other] = [await world.addMember(), await world.addMember()];
  const { body } = await join(referrer._id);
  const put = (referredBy: string | null) => world.server.as('client').put(`/members/${body._id}`, { referredBy });
  const self = await put(body._id);
  await world.server.as('client').post('/activity', { type: 'Accrual', memberID: body._id, value: 1 });
  const late = await put(`${other._id}`);
  expect((await put(null)).body.errors).toMatchObject([{ kind: 'readOnly', path: 'referredBy' }]);
  expect([self.status, self.body.errors[0].kind]).toEqual([422, 'reference']);
  expect([late.status, late.body.errors[0].kind]).toEqual([422, 'readOnly']);
  expect((await read(other._id)).referrals).toEqual([]);
  expect((await read(referrer._id)).referrals).toMatchObject([{ status: 'Completed' }]);
});

test('four changes of referredBy at once leave one Pending referral, at the referrer that the member names', async () => {
  const member = await world.addMember();
  const referrers = await Promise.all(Array.from({ length: 4 }, () => world.addMember()));
  const put = ({ _id }: { _id: ObjectId }) =>
    world.server.as('client').put(`/members/${member._id}`, { referredBy: _id });
  const answers = await Promise.all(referrers.map(put));
  const { referredBy } = await read(member._id);
  const noted = await Promise.all(referrers.map(async ({ _id }) => (await read(_id)).referrals.length));
  expect(answers.map(({ status }) => status)).toEqual(Array(4).fill(200));
  expect(noted).toEqual(referrers.map(({ _id }) => (`${_id}` === referredBy ? 1 : 0)));
});
