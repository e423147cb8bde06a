import type { Member } from '../../src/members/member';
import { openWorld, type World } from '../support/world';
import { type Acting, actingIn, lines } from './acting';
import { pursePolicies, purseRules } from './purses';

const day = 86_400_000;

let world: World;
let acting: Acting;
let member: Member;

beforeAll(async () => {
  world = await openWorld({ rules: purseRules, policies: pursePolicies });
  acting = actingIn(world);
});

beforeEach(async () => {
  world.services.clock.set('2026-03-01T12:00:00.000Z');
  member = await world.addMember();
});

afterEach(async () => {
  expect(await acting.mismatches()).toEqual([]);
});

afterAll(() => world.close());

const act = (type: string) => (purse: string, value: number) =>
  acting.processed(type, member._id, { value, ext: { purse } });
const earn = act('Accrual');
const redeem = act('Redemption');

describe('full: what was burned of the award becomes debt', () => {
  test('that the next accrual repays', async () => {
    const id = await earn('Points', 100);
    await redeem('Points', 60);
    expect(lines(await acting.cancel(id))).toEqual([
      { did: 'reversed', points: 40 },
      { did: 'becameDebt', points: 60 },
    ]);
    expect(await acting.purse(member._id)).toMatchObject({ balance: -60, availBalance: -60, debt: 60 });
    world.services.clock.advance(1000);
    await earn('Points', 100);
    expect(await acting.purse(member._id)).toMatchObject({ balance: 40, availBalance: 40, debt: 0 });
    const [, later] = await acting.lots(member._id);
    expect(later).toMatchObject({ availablePoints: 40, burnedPoints: 60 });
  });

  test('that points available elsewhere repay at once', async () => {
    const id = await earn('Points', 100);
    await redeem('Points', 60);
    world.services.clock.advance(1000);
    await earn('Points', 50);
    await acting.cancel(id);
    expect(await acting.purse(member._id)).toMatchObject({ balance: -10, debt: 10 });
  });

  test('that the release of escrowed points repays, not the escrow itself', async () => {
    const id = await acting.processed('Accrual', member._id, {
      value: 50,
      date: '2026-01-01T00:00:00.000Z',
      ext: { purse: 'Held' },
    });
    await redeem('Held', 50);
    await earn('Held', 80);
    await acting.cancel(id);
    expect(await acting.purse(member._id, 'Held')).toMatchObject({ balance: 30, availBalance: -50, escrowsIn: 80 });
    world.services.clock.advance(10 * day);
    expect(await acting.purse(member._id, 'Held')).toMatchObject({ balance: 30, availBalance: 30, debt: 0 });
  });

  test('a return of the part that was not spent makes none', async () => {
    const id = await earn('Points', 100);
    await redeem('Points', 60);
    await acting.cancel(id, { value: 40 });
    expect(await acting.purse(member._id)).toMatchObject({ balance: 0, debt: 0 });
    await acting.cancel(id);
    expect(await acting.purse(member._id)).toMatchObject({ balance: -60, debt: 60 });
  });

  test('expired points are not charged', async () => {
    const id = await earn('Short', 100);
    world.services.clock.advance(11 * day);
    expect(lines(await acting.cancel(id))).toEqual([{ did: 'alreadyGone', points: 100 }]);
    expect(await acting.purse(member._id, 'Short')).toMatchObject({ balance: 0, debt: 0, expiredPoints: 100 });
  });

  test('a cancelled purchase whose redemption is cancelled after it leaves nothing', async () => {
    const bought = await earn('Points', 100);
    const spent = await redeem('Points', 100);
    await acting.cancel(bought);
    await acting.cancel(spent);
    expect(await acting.purse(member._id)).toMatchObject({ balance: 0, availBalance: 0, debt: 0 });
  });
});

describe('toZero: what was burned is taken from other available points', () => {
  test('as far as they go; the rest is forgiven and logged', async () => {
    const id = await earn('Zero', 100);
    await redeem('Zero', 60);
    world.services.clock.advance(1000);
    await earn('Zero', 30);
    expect(lines(await acting.cancel(id))).toEqual([
      { did: 'reversed', points: 40 },
      { did: 'takenFromOthers', points: 30 },
      { did: 'forgiven', points: 30 },
    ]);
    expect(await acting.purse(member._id, 'Zero')).toMatchObject({ balance: 0, availBalance: 0, debt: 0 });
  });
});

describe('pendingOnly:', () => {
  test('points in escrow are reversed', async () => {
    const id = await earn('Pending', 100);
    expect(lines(await acting.cancel(id))).toEqual([{ did: 'reversed', points: 100 }]);
    expect(await acting.purse(member._id, 'Pending')).toMatchObject({ balance: 0, escrowsIn: 0 });
  });

  test('released points stay', async () => {
    const id = await earn('Pending', 100);
    world.services.clock.advance(10 * day);
    expect(lines(await acting.cancel(id))).toEqual([{ did: 'kept', points: 100 }]);
    expect(await acting.purse(member._id, 'Pending')).toMatchObject({ balance: 100, availBalance: 100 });
  });

  test('burned points stay burned and make no debt', async () => {
    const id = await earn('Pending', 100);
    world.services.clock.advance(10 * day);
    await redeem('Pending', 70);
    await acting.cancel(id);
    expect(await acting.purse(member._id, 'Pending')).toMatchObject({ balance: 30, debt: 0 });
  });
});

describe('an escrowed lot', () => {
  test('is reversed from escrow, in parts too, and nothing is released of what was', async () => {
    const id = await earn('Held', 10);
    await acting.cancel(id, { value: 3 });
    expect(await acting.purse(member._id, 'Held')).toMatchObject({
      balance: 7,
      escrowsIn: 7,
      nextEscrow: { date: '2026-03-11T12:00:00.000Z', points: 7 },
    });
    await acting.cancel(id);
    const purse = await acting.purse(member._id, 'Held');
    expect(purse).toMatchObject({ balance: 0, escrowsIn: 0 });
    expect(purse.nextEscrow).toBeUndefined();
    world.services.clock.advance(11 * day);
    expect(await acting.purse(member._id, 'Held')).toMatchObject({ balance: 0, availBalance: 0 });
  });

  test('that is due is released by the commit of the cancel before it is reversed', async () => {
    const id = await earn('Held', 10);
    world.services.clock.advance(10 * day);
    await acting.cancel(id);
    const entries = await world.services.db
      .collection('journal')
      .find({ member: member._id })
      .sort({ seq: 1 })
      .toArray();
    expect(entries.map(({ kind }) => kind)).toEqual(['accrue', 'release', 'reverse']);
    expect(await acting.purse(member._id, 'Held')).toMatchObject({ balance: 0, escrowsIn: 0, debt: 0 });
  });
});
