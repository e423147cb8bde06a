import type { Member } from '#records/members/member';
import { earnRule, openWorld, redeemRule, type World } from '../support/world';
import { type ActivityApi, activityApi, codes } from './activityApi';

let world: World;
let acting: ActivityApi;
let member: Member;

beforeAll(async () => {
  world = await openWorld({ rules: [earnRule, redeemRule] });
  acting = activityApi(world);
});

beforeEach(async () => {
  member = await world.addMember();
});

afterAll(() => world.close());

const times = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_unused, n) => make(n));
const post = (type: string, value: number) => acting.post({ type, memberID: member._id, value });

async function journal() {
  return world.services.db.collection('journal').find({ member: member._id }).sort({ seq: 1 }).toArray();
}

test('50 accruals at once give the exact sum, a gapless journal and running balances', async () => {
  const answers = await Promise.all(times(50, (n) => post('Accrual', n + 1)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(await acting.purse(member._id)).toMatchObject({ balance: 1275, availBalance: 1275, accruedPoints: 1275 });
  const entries = await journal();
  expect(entries.map(({ seq }) => seq)).toEqual(times(50, (n) => n + 1));
  let balance = 0;
  for (const { points, balanceAfter } of entries) {
    balance += points;
    expect(balanceAfter).toBe(balance);
  }
});

test('each answer shows the purse as its own activity left it', async () => {
  const answers = await Promise.all(times(20, () => post('Accrual', 1)));
  const shown = answers.map(({ body }) => body.member.purses[0].balance).sort((a, b) => a - b);
  expect(shown).toEqual(times(20, (n) => n + 1));
});

test('redemptions at once never overdraw', async () => {
  await post('Accrual', 100);
  const answers = await Promise.all(times(50, () => post('Redemption', 7)));
  expect(answers.flatMap(codes)).toEqual(times(36, () => 2100));
  expect(await acting.purse(member._id)).toMatchObject({ balance: 2, burnedPoints: 98 });
});

test('accruals, redemptions and cancels at once keep every sum', async () => {
  const ids = [];
  for (const value of [10, 20, 30]) ids.push(await acting.processed('Accrual', member._id, { value }));
  const answers = await Promise.all([
    ...ids.map((id) => acting.cancel(id)),
    ...ids.map((id) => acting.cancel(id)),
    ...times(10, () => post('Accrual', 5)),
    ...times(10, () => post('Redemption', 4)),
  ]);
  const refused = answers.flatMap(codes);
  expect(refused.filter((code) => code === 2300)).toHaveLength(3);
  const burned = 10 - refused.filter((code) => code === 2100).length;
  expect(await acting.purse(member._id)).toMatchObject({ balance: 50 - 4 * burned });
});

test('a failing activity does not affect the others of its batch', async () => {
  const most = Number.MAX_SAFE_INTEGER;
  const answers = await Promise.all([post('Accrual', 1), post('Accrual', most), post('Accrual', 2)]);
  expect(answers.map(codes)).toEqual([[], [2900], []]);
  expect(await acting.purse(member._id)).toMatchObject({ balance: 3 });
});

test('the ledgers agree after all of these tests', async () => {
  expect(await acting.mismatches()).toEqual([]);
});
