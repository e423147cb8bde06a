import { lines } from './activityApi';
import { purseWorld } from './purseWorld';

const day = 86_400_000;

const at = purseWorld();
beforeAll(() => at.open());
beforeEach(() => at.begin());
afterAll(() => at.close());
const { act } = at;

describe('full: what was burned of the award becomes debt', () => {
  test('that the next accrual repays', async () => {
    const id = await act('Accrual', 'Points', 100);
    await act('Redemption', 'Points', 60);
    expect(lines(await at.acting.cancel(id))).toEqual([
      { did: 'reversed', points: 40 },
      { did: 'becameDebt', points: 60 },
    ]);
    expect(await at.acting.purse(at.member._id)).toMatchObject({ balance: -60, availBalance: -60, debt: 60 });
    at.world.services.clock.advance(1000);
    await act('Accrual', 'Points', 100);
    expect(await at.acting.purse(at.member._id)).toMatchObject({ balance: 40, availBalance: 40, debt: 0 });
    const [, later] = await at.acting.lots(at.member._id);
    expect(later).toMatchObject({ availablePoints: 40, burnedPoints: 60 });
  });

  test('that points available elsewhere repay at once', async () => {
    const id = await act('Accrual', 'Points', 100);
    await act('Redemption', 'Points', 60);
    at.world.services.clock.advance(1000);
    await act('Accrual', 'Points', 50);
    await at.acting.cancel(id);
    expect(await at.acting.purse(at.member._id)).toMatchObject({ balance: -10, debt: 10 });
  });

  test('that the release of escrowed points repays, not the escrow itself', async () => {
    const id = await at.acting.processed('Accrual', at.member._id, {
      value: 50,
      date: '2026-01-01T00:00:00.000Z',
      ext: { purse: 'Held' },
    });
    await act('Redemption', 'Held', 50);
    await act('Accrual', 'Held', 80);
    await at.acting.cancel(id);
    expect(await at.acting.purse(at.member._id, 'Held')).toMatchObject({
      balance: 30,
      availBalance: -50,
      escrowsIn: 80,
    });
    at.world.services.clock.advance(10 * day);
    expect(await at.acting.purse(at.member._id, 'Held')).toMatchObject({ balance: 30, availBalance: 30, debt: 0 });
  });

  test('is not made by a return of the part that was not spent', async () => {
    const id = await act('Accrual', 'Points', 100);
    await act('Redemption', 'Points', 60);
    await at.acting.cancel(id, { value: 40 });
    expect(await at.acting.purse(at.member._id)).toMatchObject({ balance: 0, debt: 0 });
    await at.acting.cancel(id);
    expect(await at.acting.purse(at.member._id)).toMatchObject({ balance: -60, debt: 60 });
  });

  test('is not made for expired points', async () => {
    const id = await act('Accrual', 'Short', 100);
    at.world.services.clock.advance(11 * day);
    expect(lines(await at.acting.cancel(id))).toEqual([{ did: 'alreadyGone', points: 100 }]);
    expect(await at.acting.purse(at.member._id, 'Short')).toMatchObject({ balance: 0, debt: 0, expiredPoints: 100 });
  });

  test('is gone when the redemption is cancelled after the purchase', async () => {
    const bought = await act('Accrual', 'Points', 100);
    const spent = await act('Redemption', 'Points', 100);
    await at.acting.cancel(bought);
    await at.acting.cancel(spent);
    expect(await at.acting.purse(at.member._id)).toMatchObject({ balance: 0, availBalance: 0, debt: 0 });
  });
});

describe('toZero: what was burned is taken from other available points', () => {
  test('as far as they go, and the rest is forgiven and logged', async () => {
    const id = await act('Accrual', 'Zero', 100);
    await act('Redemption', 'Zero', 60);
    at.world.services.clock.advance(1000);
    await act('Accrual', 'Zero', 30);
    expect(lines(await at.acting.cancel(id))).toEqual([
      { did: 'reversed', points: 40 },
      { did: 'takenFromOthers', points: 30 },
      { did: 'forgiven', points: 30 },
    ]);
    expect(await at.acting.purse(at.member._id, 'Zero')).toMatchObject({ balance: 0, availBalance: 0, debt: 0 });
  });
});

describe('with pendingOnly,', () => {
  test('points in escrow are reversed', async () => {
    const id = await act('Accrual', 'Pending', 100);
    expect(lines(await at.acting.cancel(id))).toEqual([{ did: 'reversed', points: 100 }]);
    expect(await at.acting.purse(at.member._id, 'Pending')).toMatchObject({ balance: 0, escrowsIn: 0 });
  });

  test('released points stay', async () => {
    const id = await act('Accrual', 'Pending', 100);
    at.world.services.clock.advance(10 * day);
    expect(lines(await at.acting.cancel(id))).toEqual([{ did: 'kept', points: 100 }]);
    expect(await at.acting.purse(at.member._id, 'Pending')).toMatchObject({ balance: 100, availBalance: 100 });
  });

  test('burned points stay burned and make no debt', async () => {
    const id = await act('Accrual', 'Pending', 100);
    at.world.services.clock.advance(10 * day);
    await act('Redemption', 'Pending', 70);
    await at.acting.cancel(id);
    expect(await at.acting.purse(at.member._id, 'Pending')).toMatchObject({ balance: 30, debt: 0 });
  });
});

describe('an escrowed lot', () => {
  test('is reversed from escrow, in parts too, and the reversed points are never released', async () => {
    const id = await act('Accrual', 'Held', 10);
    await at.acting.cancel(id, { value: 3 });
    expect(await at.acting.purse(at.member._id, 'Held')).toMatchObject({
      balance: 7,
      escrowsIn: 7,
      nextEscrow: { date: '2026-03-11T12:00:00.000Z', points: 7 },
    });
    await at.acting.cancel(id);
    const purse = await at.acting.purse(at.member._id, 'Held');
    expect(purse).toMatchObject({ balance: 0, escrowsIn: 0 });
    expect(purse.nextEscrow).toBeNull();
    at.world.services.clock.advance(11 * day);
    expect(await at.acting.purse(at.member._id, 'Held')).toMatchObject({ balance: 0, availBalance: 0 });
  });

  test('that is due is released by the commit of the cancel before it is reversed', async () => {
    const id = await act('Accrual', 'Held', 10);
    at.world.services.clock.advance(10 * day);
    await at.acting.cancel(id);
    const entries = await at.world.services.db
      .collection('journal')
      .find({ member: at.member._id })
      .sort({ seq: 1 })
      .toArray();
    expect(entries.map(({ kind }) => kind)).toEqual(['accrue', 'release', 'reverse']);
    expect(await at.acting.purse(at.member._id, 'Held')).toMatchObject({ balance: 0, escrowsIn: 0, debt: 0 });
  });
});

test('the ledgers agree after all of these tests', async () => {
  expect(await at.mismatches()).toEqual([]);
});
