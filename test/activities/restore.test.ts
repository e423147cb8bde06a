import { lines } from './activityApi';
import { metricCommits } from './metricCommits';
import { purseWorld } from './purseWorld';

const day = 86_400_000;

const at = purseWorld();
beforeAll(() => at.open());
beforeEach(() => at.begin());
afterAll(() => at.close());
const { earn, redeem, parts, tick } = at;

describe('restored points', () => {
  test('go back to the very lots that were burned', async () => {
    for (let n = 0; n < 3; n += 1, tick()) await earn(5);
    const id = await redeem(12);
    expect(await parts('burned')).toEqual([[5], [5], [2]]);
    const answer = await at.acting.cancel(id);
    expect(lines(answer)).toEqual([5, 5, 2].map((points) => ({ did: 'restored', points })));
    expect(await parts('burned', 'available')).toEqual([
      [0, 5],
      [0, 5],
      [0, 5],
    ]);
    expect(await at.acting.purse(at.member._id)).toMatchObject({ balance: 15, burnedPoints: 0 });
  });

  test('that are past their expiry expire in the same commit', async () => {
    await earn(10, { ext: { purse: 'Short' } });
    at.world.services.clock.advance(5 * day);
    const id = await at.acting.processed('Redemption', at.member._id, { value: 10, ext: { purse: 'Short' } });
    at.world.services.clock.advance(7 * day);
    const answer = await at.acting.cancel(id);
    expect(answer.body.member.purses.find(({ name }: { name: string }) => name === 'Short')).toMatchObject({
      balance: 0,
      expiredPoints: 10,
    });
    const entries = await at.world.services.db
      .collection('journal')
      .find({ member: at.member._id })
      .sort({ seq: 1 })
      .toArray();
    expect(entries.map(({ kind }) => kind)).toEqual(['accrue', 'burn', 'restore', 'expire']);
    const changes = (await metricCommits(at.world.services.db, at.member._id)).flat();
    expect(changes.filter(([metric]) => metric === 'pointsExpired')).toEqual([['pointsExpired', 10, '2026-03-11']]);
  });

  test('lower the debt that the redemption made', async () => {
    await earn(10, { ext: { purse: 'Credit' } });
    const id = await at.acting.processed('Redemption', at.member._id, { value: 30, ext: { purse: 'Credit' } });
    expect(await at.acting.purse(at.member._id, 'Credit')).toMatchObject({ balance: -20, debt: 20 });
    const answer = await at.acting.cancel(id);
    expect(lines(answer)).toEqual([
      { did: 'restored', points: 10 },
      { did: 'debtLowered', points: 20 },
    ]);
    expect(await at.acting.purse(at.member._id, 'Credit')).toMatchObject({ balance: 10, debt: 0 });
  });

  test('go to the lots that repaid their debt in the meantime, the latest first', async () => {
    const credit = { ext: { purse: 'Credit' } };
    await earn(10, credit);
    const id = await at.acting.processed('Redemption', at.member._id, { value: 30, ...credit });
    for (const value of [5, 8, 12]) {
      tick();
      await earn(value, credit);
    }
    expect(await parts('burned')).toEqual([[10], [5], [8], [7]]);
    const half = await at.acting.cancel(id, { value: 15 });
    expect(lines(half).map(({ points }) => points)).toEqual([7, 8]);
    expect(await parts('burned')).toEqual([[10], [5], [0], [0]]);
    await at.acting.cancel(id);
    expect(await parts('burned', 'available')).toEqual([
      [0, 10],
      [0, 5],
      [0, 8],
      [0, 12],
    ]);
    expect(await at.acting.purse(at.member._id, 'Credit')).toMatchObject({ balance: 35, debt: 0, burnedPoints: 0 });
  });
});

test('the ledgers agree after all of these tests', async () => {
  expect(await at.mismatches()).toEqual([]);
});
