import { EJSON, ObjectId } from 'bson';
import { collectionOf } from '#base/db/collections';
import { inTransaction } from '#base/db/transaction';
import { storeAnswer } from '#platform/http/keys/claimKey';
import { keyedRequestResource } from '#platform/http/keys/keyedRequest';
import { submissionResource } from '#records/activities/submission';
import { memberResource } from '#records/members/member';
import type { Role } from '#records/users/permissions';
import { client as clientAt } from '../../../support/client';
import { makeTestUser, testPassword } from '../../../support/services';
import { addWorld, earnRule, openWorld, type World } from '../../../support/world';

let world: World;
beforeAll(async () => {
  world = await openWorld({ rules: [earnRule] });
});
afterAll(() => world.close());

const withKey = (key: string) => ({ headers: { 'idempotency-key': key } });
const post = (path: string, body: unknown, key: string, role: Role = 'ledger-admin') =>
  world.server.as(role).post(path, body, withKey(key));
const replayed = (headers: Headers) => headers.get('idempotent-replayed');
const keys = () => collectionOf(world.services.db, keyedRequestResource);
const newest = async (route: string) => {
  const [found] = await keys().find({ route }).sort({ createdAt: -1, _id: -1 }).limit(1).toArray();
  if (!found) throw new Error(`no key of ${route}`);
  return found;
};
const newMember = (loyaltyID: string, fields = {}) => ({ program: world.program._id, loyaltyID, ...fields });
const membersNamed = (loyaltyID: string) =>
  collectionOf(world.services.db, memberResource).countDocuments({ loyaltyIDs: loyaltyID });

test('points added by hand twice with one key are added once', async () => {
  const { _id: member } = await world.addMember();
  const item = { member, purse: world.policies[0]?._id, accruedPoints: 40 };
  const first = await post('/accrualitems', item, 'points');
  const second = await post('/accrualitems', item, 'points');
  expect([first.status, second.status, second.body]).toEqual([201, 201, first.body]);
  const purses = await world.server.as('client').get(`/members/${member}/purses`);
  expect(purses.body[0]).toMatchObject({ balance: 40, accruedPoints: 40 });
});

test('neither the order of fields nor the prefix of the path matters', async () => {
  const body = newMember('ORDER', { address: { city: 'A', street: 'B' }, ext: { a: [1, { b: 1, c: 2 }] } });
  const turned = { ext: { a: [1, { c: 2, b: 1 }] }, address: { street: 'B', city: 'A' }, ...newMember('ORDER') };
  const first = await post('/members', body, 'order');
  const second = await world.server.as('admin').send('POST', '/members', { body: turned, ...withKey('order') });
  expect([second.status, replayed(second.headers), second.body]).toEqual([201, 'true', first.body]);
});

test('a repetition answers as the first did, whatever became of the record', async () => {
  const first = await post('/locations', { number: 'L-1', name: 'Shop' }, 'shop');
  await world.server.as('admin').put(`/locations/${first.body._id}`, { name: 'Renamed' });
  expect((await post('/locations', { number: 'L-1', name: 'Shop' }, 'shop')).body).toEqual(first.body);
  await world.server.as('admin').delete(`/locations/${first.body._id}`);
  const third = await post('/locations', { number: 'L-1', name: 'Shop' }, 'shop');
  expect([third.status, third.body]).toEqual([201, first.body]);
  expect((await world.server.as('admin').get('/locations/count?number=L-1')).body).toEqual({ count: 0 });
});

test('a request that failed leaves its key free for a corrected one', async () => {
  const wrong = await post('/members', newMember('CORRECTED', { birthDate: 'never' }), 'corrected');
  const taken = await post('/members', newMember('ORDER'), 'corrected');
  const right = await post('/members', newMember('CORRECTED'), 'corrected');
  expect([wrong.status, taken.status, right.status, replayed(right.headers)]).toEqual([422, 422, 201, null]);
});

test('a repetition is not preprocessed again, so a sequence gives no second value', async () => {
  const manager = world.server.as('admin');
  await manager.post('/enums', { type: 'SequenceName', value: 'cards' });
  const body = { program: world.program._id, loyaltyID: { autoIncrement: { seqName: 'cards', type: 'string' } } };
  const first = await post('/members?preprocess=true', body, 'sequence');
  const second = await post('/members?preprocess=true', body, 'sequence');
  expect([first.body.loyaltyID, second.body.loyaltyID, replayed(second.headers)]).toEqual(['2', '2', 'true']);
  const third = await manager.post('/members?preprocess=true', body);
  expect(third.body.loyaltyID).toBe('3');
});

test('one of several different requests at once with one key takes effect, and the others are refused', async () => {
  const ids = Array.from({ length: 8 }, (_unused, n) => `RACE-${n}`);
  const answers = await Promise.all(ids.map((id) => post('/members', newMember(id), 'race')));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(422)]);
  expect((await Promise.all(ids.map(membersNamed))).sort()).toEqual([...Array(7).fill(0), 1]);
});

test('a key is for one route of one org', async () => {
  const other = await addWorld(world, { rules: [earnRule] });
  const first = await post('/partners', { code: 'A', name: 'A' }, 'scope');
  const elsewhere = await post('/products', { sku: 'A', name: 'A' }, 'scope');
  const theirs = await other.server.as('admin').post('/partners', { code: 'A', name: 'A' }, withKey('scope'));
  for (const { status, headers } of [first, elsewhere, theirs])
    expect([status, replayed(headers)]).toEqual([201, null]);
  expect(theirs.body._id).not.toBe(first.body._id);
});

test('a key of a password change belongs to its user, and stores neither passwords nor their hashes', async () => {
  const body = { currentPassword: testPassword, newPassword: 'a new password of mine' };
  for (const name of ['one', 'two']) {
    const { token } = await makeTestUser(world.services, world.services.org, name, ['reader']);
    const own = clientAt(world.server.url, token);
    const first = await own.post('/users/me/password', body, withKey('password'));
    const second = await own.post('/users/me/password', body, withKey('password'));
    expect([first.status, replayed(first.headers), second.status, replayed(second.headers)]).toEqual([
      200,
      null,
      200,
      'true',
    ]);
  }
  await post('/users', { username: 'third', password: 'a new password of mine' }, 'password');
  const stored = EJSON.stringify(await keys().find().toArray());
  expect(stored).not.toContain('a new password of mine');
  const hashes = await keys()
    .find({ route: 'POST /users/me/password' })
    .map(({ hash }) => hash)
    .toArray();
  expect([hashes.length, hashes[0]]).toEqual([2, hashes[1]]);
  await post('/users', { username: 'fourth', password: 'a new password of mine' }, 'another key');
  expect(new Set([hashes[0], (await newest('POST /users')).hash]).size).toBe(2);
});

test('the service keeps a key for 30 days', async () => {
  const item = { member: (await world.addMember())._id, purse: world.policies[0]?._id, accruedPoints: 1 };
  const first = await post('/accrualitems', item, 'kept');
  world.services.clock.advance(30 * 86_400_000 - 60_000);
  expect((await post('/accrualitems', item, 'kept')).body).toEqual(first.body);
  world.services.clock.advance(120_000);
  const later = await post('/accrualitems', { ...item, accruedPoints: 2 }, 'kept');
  expect([later.status, replayed(later.headers), later.body.accruedPoints]).toEqual([201, null, 2]);
  expect((await post('/accrualitems', { ...item, accruedPoints: 2 }, 'kept')).body).toEqual(later.body);
});

describe('a process that was killed', () => {
  /** Makes it look as if the process of the newest request to a route ended before its answer was stored. */
  async function endOf(route: string) {
    const { _id, claim, org } = await newest(route);
    await keys().updateOne({ _id }, { $unset: { answer: '', about: '' } });
    return { _id, claim, org };
  }

  test('before the effect lets a repetition wait 2 s, answer 409, and take effect once the claim has ended', async () => {
    const first = await post('/members', newMember('CRASH'), 'crash');
    const members = collectionOf(world.services.db, memberResource);
    await members.deleteOne({ _id: new ObjectId(first.body._id) });
    const claim = await endOf('POST /members');

    const startedAt = performance.now();
    expect(await post('/members', newMember('CRASH'), 'crash')).toBeRefused(409, 1270);
    expect(performance.now() - startedAt).toBeGreaterThan(1900);
    expect((await post('/members', newMember('OTHER'), 'crash')).status).toBe(422);

    world.services.clock.advance(10_000);
    const second = await post('/members', newMember('CRASH'), 'crash');
    expect([second.status, replayed(second.headers)]).toEqual([201, null]);

    // The first attempt was only asleep. It wakes up and goes on with its transaction.
    const late = inTransaction(world.services.db, async (session) => {
      await members.deleteMany({ org: claim.org }, { session });
      await storeAnswer(world.services.db, claim, { status: 201, body: {} }, session);
    });
    await expect(late).rejects.toMatchObject({ code: 1270 });
    expect(await membersNamed('CRASH')).toBe(1);
  });

  test('after a run of a job lets a repetition run the job again', async () => {
    await post('/jobs/escrow/run', undefined, 'job');
    await endOf('POST /jobs/:name/run');
    world.services.clock.advance(124_000);
    expect((await post('/jobs/escrow/run', undefined, 'job')).status).toBe(409);
    world.services.clock.advance(2000);
    const again = await post('/jobs/escrow/run', undefined, 'job');
    const third = await post('/jobs/escrow/run', undefined, 'job');
    expect([again.status, replayed(again.headers), third.body]).toEqual([200, null, again.body]);
  });

  test('after it accepted a bulk post lets a repetition accept no activity twice', async () => {
    const { _id: memberID } = await world.addMember();
    const activities = [1, 2, 2].map((value) => ({ type: 'Accrual', memberID, value }));
    const first = await post('/activities/bulk?async=true', activities, 'bulk');
    await endOf('POST /activities/bulk');
    world.services.clock.advance(10_000);
    const second = await post('/activities/bulk?async=true', activities, 'bulk');
    expect([second.status, second.body]).toEqual([202, first.body]);
    const submissions = collectionOf(world.services.db, submissionResource);
    expect(await submissions.countDocuments({ 'request.activity.memberID': memberID })).toBe(3);
    expect(new Set(first.body.map(({ externalTxnId }: { externalTxnId: string }) => externalTxnId)).size).toBe(3);
  });
});

test('the erasure of a member removes it from stored answers, and repetitions are 410', async () => {
  const body = newMember('ERASED', { firstName: 'Ann-Sophie' });
  const { _id } = (await post('/members', body, 'erase')).body;
  const survivor = newMember('SURVIVOR', { firstName: 'Bert-Olaf' });
  const kept = (await post('/members', survivor, 'survivor')).body;
  expect((await post(`/members/${kept._id}/merge`, { memberIds: [_id] }, 'merge')).status).toBe(200);
  expect((await world.server.as('admin').delete(`/members/${kept._id}`)).status).toBe(204);
  expect(EJSON.stringify(await keys().find().toArray())).not.toMatch(/Ann-Sophie|Bert-Olaf|SURVIVOR|ERASED/);
  for (const answer of [
    await post('/members', body, 'erase'),
    await post('/members', survivor, 'survivor'),
    await post(`/members/${kept._id}/merge`, { memberIds: [_id] }, 'merge'),
  ]) {
    expect(answer).toBeRefused(410, 1510);
  }
  expect(await membersNamed('ERASED')).toBe(0);
});
