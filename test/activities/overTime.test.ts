import { sweepDue } from '#members/memberState/sweepDue';
import type { Member } from '#records/members/member';
import { earnRule, openWorld, redeemRule, type World } from '../support/world';
import { type ActivityApi, activityApi, codes } from './activityApi';
import { metricCommits } from './metricCommits';

const start = '2026-03-01T12:00:00.000Z';
const hour = 3_600_000;
const day = 24 * hour;

let world: World;
let acting: ActivityApi;
let member: Member;

beforeAll(async () => {
  const escrow = { type: 'duration' as const, value: 2, unit: 'day' as const };
  const expiry = { type: 'rolling' as const, value: 10, unit: 'day' as const };
  world = await openWorld({ rules: [earnRule, redeemRule], policies: [{ escrow, expiry }] });
  acting = activityApi(world);
});

beforeEach(async () => {
  world.services.clock.set(start);
  member = await world.addMember();
});

afterAll(() => world.close());

const at = (days: number) => world.services.clock.set(new Date(Date.parse(start) + days * day));
const sweep = () => sweepDue(world.services, { now: world.services.clock.now(), org: world.services.org._id });
const earn = (value: number, fields: object = {}) => acting.processed('Accrual', member._id, { value, ...fields });
const redeem = (value: number) => acting.post({ type: 'Redemption', memberID: member._id, value });
/** The purse as stored, not settled before the read. */
const storedPurse = async () => (await world.services.db.collection('members').findOne({ _id: member._id }))?.purses[0];
const kinds = async () => {
  const entries = await world.services.db.collection('journal').find({ member: member._id }).sort({ seq: 1 }).toArray();
  return entries.map(({ kind }) => kind);
};

test('an award in escrow counts in the balance, cannot be spent, and names its dates', async () => {
  await earn(10);
  expect(await acting.purse(member._id)).toMatchObject({
    balance: 10,
    availBalance: 0,
    escrowsIn: 10,
    nextEscrow: { date: '2026-03-03T12:00:00.000Z', points: 10 },
  });
  expect(await acting.lots(member._id)).toEqual([
    expect.objectContaining({
      state: 'escrow',
      hasEscrowed: false,
      dtEscrowsOn: '2026-03-03T12:00:00.000Z',
      dtExpiresOn: '2026-03-13T12:00:00.000Z',
    }),
  ]);
  expect(codes(await redeem(1))).toEqual([2100]);
});

test('a sweep releases at the date and never a millisecond earlier', async () => {
  await earn(10);
  world.services.clock.set('2026-03-03T11:59:59.999Z');
  await sweep();
  expect(await storedPurse()).toMatchObject({ availBalance: 0, escrowsIn: 10 });
  at(2);
  await sweep();
  expect(await storedPurse()).toMatchObject({ balance: 10, availBalance: 10, escrowsIn: 0, expiresIn: 10 });
  expect(await acting.lots(member._id)).toEqual([expect.objectContaining({ state: 'available', hasEscrowed: true })]);
  expect(await kinds()).toEqual(['accrue', 'release']);
});

test('a sweep expires at the date and never earlier; doing it again does nothing', async () => {
  await earn(10);
  world.services.clock.set('2026-03-13T11:59:59.999Z');
  await sweep();
  expect(await storedPurse()).toMatchObject({ availBalance: 10, expiredPoints: 0 });
  at(12);
  await Promise.all([sweep(), sweep(), sweep()]);
  expect(await storedPurse()).toMatchObject({ balance: 0, availBalance: 0, expiredPoints: 10, expiresIn: 0 });
  expect(await acting.lots(member._id)).toEqual([expect.objectContaining({ state: 'expired', hasExpired: true })]);
  expect(await kinds()).toEqual(['accrue', 'release', 'expire']);
});

test('without a timer the next commit releases first, so released points can be spent at once', async () => {
  await earn(10);
  at(2);
  const answer = await redeem(10);
  expect(codes(answer)).toEqual([]);
  expect(await kinds()).toEqual(['accrue', 'release', 'burn']);
});

test('without a timer an expired lot is never spent', async () => {
  await earn(10);
  at(2);
  await sweep();
  at(12);
  const answer = await redeem(1);
  expect(codes(answer)).toEqual([2100]);
  expect(answer.body.member.purses[0]).toMatchObject({ balance: 0, expiredPoints: 10 });
  expect(await kinds()).toEqual(['accrue', 'release', 'expire']);
});

test('a lot past both dates is released and expired by one commit, and spent by none', async () => {
  await earn(10);
  at(30);
  expect(codes(await redeem(1))).toEqual([2100]);
  expect(await kinds()).toEqual(['accrue', 'release', 'expire']);
});

test('activities at once after the date release the points once', async () => {
  await earn(10);
  at(2);
  const answers = await Promise.all([...Array.from({ length: 12 }, () => redeem(1)), sweep()]);
  const refused = answers.flatMap((answer) => ('body' in answer ? codes(answer) : []));
  expect(refused).toEqual([2100, 2100]);
  expect((await kinds()).filter((kind) => kind === 'release')).toHaveLength(1);
});

test('the lot that expires soonest is spent first, whenever it was earned', async () => {
  await earn(10, { date: '2026-02-25T12:00:00.000Z' });
  await earn(10, { date: '2026-02-22T12:00:00.000Z' });
  await redeem(12);
  const burned = (await acting.lots(member._id)).map((lot: { burnedPoints: number }) => lot.burnedPoints);
  expect(burned).toEqual([10, 2]);
});

test('an activity of the past is released or expired in its own commit', async () => {
  await earn(10, { date: '2026-02-25T12:00:00.000Z' });
  expect(await storedPurse()).toMatchObject({ availBalance: 10, escrowsIn: 0 });
  await earn(7, { date: '2026-01-01T00:00:00.000Z' });
  expect(await storedPurse()).toMatchObject({ availBalance: 10, expiredPoints: 7, accruedPoints: 17 });
  expect(await kinds()).toEqual(['accrue', 'release', 'accrue', 'release', 'expire']);
});

test('the metrics of expired points are of the day of the expiry', async () => {
  await earn(10);
  at(40);
  await sweep();
  const changes = (await metricCommits(world.services.db, member._id)).flat();
  expect(changes.filter(([metric]) => metric.startsWith('pointsExpired'))).toEqual([
    ['pointsExpired', 10, '2026-03-13'],
    ['pointsExpired:Points', 10, '2026-03-13'],
  ]);
});

test.each([['purses'], ['statement']])('a read of %s settles what is due before it answers', async (read) => {
  await earn(10);
  at(2);
  const { status, body } = await world.server.as('client').get(`/members/${member._id}/${read}`);
  expect(status).toBe(200);
  expect(JSON.stringify(body)).toContain(read === 'purses' ? '"availBalance":10' : '"release"');
  expect(await storedPurse()).toMatchObject({ availBalance: 10, escrowsIn: 0 });
});

test('the next dates of a purse follow its lots', async () => {
  await earn(10);
  world.services.clock.advance(hour);
  await earn(5);
  at(2);
  await sweep();
  expect(await storedPurse()).toMatchObject({
    nextEscrow: { date: new Date('2026-03-03T13:00:00.000Z'), points: 5 },
    nextExpiry: { date: new Date('2026-03-13T12:00:00.000Z'), points: 10 },
  });
  await redeem(10);
  at(2.5);
  await sweep();
  expect(await storedPurse()).toMatchObject({
    nextExpiry: { date: new Date('2026-03-13T13:00:00.000Z'), points: 5 },
    expiresIn: 5,
  });
});

test('the ledgers agree after all of these tests', async () => {
  expect(await acting.mismatches()).toEqual([]);
});
