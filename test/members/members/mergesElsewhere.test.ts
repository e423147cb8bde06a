import { ObjectId } from 'bson';
import { runJob } from '#operations/jobs/runJob';
import type { Member } from '#records/members/member';
import { type ActivityApi, activityApi } from '../../activities/activityApi';
import { importing } from '../../exchange/imports/importing';
import { earnRule, openWorld, redeemRule, type World } from '../../support/world';

/**
 * What went wrong where other systems merged customers, tried here: public reports of Mautic, Odoo and its community
 * modules, CiviCRM, the Nonprofit Success Pack, Saleor, Intercom and Inventaire. Each title says what was reported.
 */
const onceRule = {
  ...earnRule,
  key: 'once',
  name: 'Once a member',
  conditions: { all: [{ fact: 'activity', path: '$.srcChannelType', operator: 'equal', value: 'Web' }] },
  actions: [{ type: 'addPoints', purse: 'Points', points: 1000 }],
  limits: [{ what: 'times', per: 'member', period: 'lifetime', max: 1 }],
};

let world: World;
let acting: ActivityApi;
let [one, two]: [Member, Member] = [undefined as never, undefined as never];
beforeAll(async () => {
  world = await openWorld({ rules: [earnRule, redeemRule, onceRule] });
  acting = activityApi(world);
});
beforeEach(async () => {
  [one, two] = [await world.addMember(), await world.addMember()];
});
afterAll(async () => {
  expect(await acting.mismatches()).toEqual([]);
  await world.close();
});

const admin = () => world.server.as('admin');
const merge = (into: { _id: ObjectId }, ...from: { _id: ObjectId }[]) =>
  admin().post(`/members/${into._id}/merge`, { memberIds: from.map(({ _id }) => _id) });
const followUp = () => runJob(world.services, 'members', world.services.org._id);
const read = async ({ _id }: { _id: ObjectId }) => (await admin().get(`/members/${_id}`)).body;
const patch = ({ _id }: { _id: ObjectId }, body: object) => admin().patch(`/members/${_id}`, body);

test('the sum of points is right in the answer, and when it is read again (not that of one, and not twice)', async () => {
  await acting.processed('Accrual', one._id, { value: 50 });
  await acting.processed('Accrual', two._id, { value: 100 });
  const { body } = await merge(one, two);
  const shown = body.purses.find(({ name }: { name: string }) => name === 'Points').balance;
  await followUp();
  expect([shown, await acting.balance(one._id)]).toEqual([150, 150]);
});

test('the points of both members are spent together, not only those of one card', async () => {
  await acting.processed('Accrual', one._id, { value: 100 });
  await acting.processed('Accrual', two._id, { value: 200 });
  await merge(one, two);
  await acting.processed('Redemption', one._id, { value: 250 });
  expect(await acting.balance(one._id)).toBe(50);
});

test('a segment of both members is a segment of the survivor, once', async () => {
  const segment = new ObjectId();
  const ids = { _id: { $in: [one._id, two._id] } };
  await world.services.db.collection('members').updateMany(ids, { $set: { segments: [segment] } });
  expect((await merge(one, two)).status).toBe(200);
  expect((await read(one)).segments).toEqual([`${segment}`]);
});

test('a merge of two members of different households moves only the merged member', async () => {
  const [theirHead, relative] = [await world.addMember(), await world.addMember()];
  for (const each of [two, relative]) expect((await patch(each, { familyHead: theirHead._id })).status).toBe(200);
  const ownHead = await world.addMember();
  await patch(one, { familyHead: ownHead._id });
  await merge(one, two);
  await followUp();
  expect([(await read(one)).familyHead, (await read(relative)).familyHead]).toEqual([
    `${ownHead._id}`,
    `${theirHead._id}`,
  ]);
});

test('imports with the old card and posts with the old id reach the survivor', async () => {
  const { loyaltyID } = two;
  await merge(one, two);
  const file = `type,loyaltyID,value,externalTxnId\nAccrual,${loyaltyID},40,file-${one._id}\n`;
  const { counts } = await importing(world).imported({ kind: 'activities', content: file });
  expect(counts).toMatchObject({ rows: 1, failed: 0 });
  await acting.drain();
  await acting.processed('Accrual', two._id, { value: 2 });
  expect(await acting.balance(one._id)).toBe(42);
});

test('each read of a merged member names its survivor, also after a second merge', async () => {
  const last = await world.addMember();
  await merge(one, two);
  await merge(last, one);
  for (const each of [one, two]) {
    const { status, body } = await admin().get(`/members/${each._id}`);
    expect([status, body.mergedInto]).toEqual([410, `${last._id}`]);
  }
});

test('nobody is merged into itself or in a circle, not even through others', async () => {
  const third = await world.addMember();
  expect((await merge(one, one)).status).toBe(422);
  await merge(one, two);
  await merge(third, one);
  for (const [into, from] of [
    [two, third],
    [one, third],
    [two, one],
  ] as const)
    expect((await merge(into, from)).status).toBe(410);
});

test('a right to do something once is not renewed by a merge, whichever member survives', async () => {
  await acting.processed('Accrual', two._id, { value: 0, srcChannelType: 'Web' });
  await merge(one, two);
  await acting.processed('Accrual', one._id, { value: 0, srcChannelType: 'Web' });
  expect(await acting.balance(one._id)).toBe(1000);
  const late = await world.addMember();
  await merge(late, one);
  await acting.processed('Accrual', late._id, { value: 0, srcChannelType: 'Web' });
  expect(await acting.balance(late._id)).toBe(1000);
});

test('a shared address finds the survivor once', async () => {
  const email = `ann-${one._id}@example.com`;
  for (const each of [one, two]) await patch(each, { email });
  await merge(one, two);
  const found = (await admin().get(`/members?email=${email.toUpperCase()}`)).body;
  expect(found.map(({ _id }: { _id: string }) => _id)).toEqual([`${one._id}`]);
});

test('two referred members leave one referral of their referrer, and a merge of referrer and referred none', async () => {
  const referrer = await world.addMember();
  for (const each of [one, two]) expect((await patch(each, { referredBy: referrer._id })).status).toBe(200);
  await merge(one, two);
  expect((await read(referrer)).referrals).toHaveLength(1);
  await merge(referrer, one);
  expect((await read(referrer)).referrals).toEqual([]);
});
