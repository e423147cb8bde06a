import { type Aggregates, aggregateFaults, expectedSums } from './aggregates';
import { type Ledger, ledgerFaults } from './ledger';
import { couponUses, type Effect, effectFaults, expectedOf, type Operation } from './operations';
import { tornEntries, tornLots, tornPurses } from './torn';

const lot = {
  _id: 'lot',
  member: 'mei',
  purseName: 'Points',
  accruedPoints: 9,
  escrowedPoints: 2,
  availablePoints: 3,
  burnedPoints: 4,
  expiredPoints: 0,
  reversedPoints: 0,
};
const entries = [
  { member: 'mei', seq: 1, points: 9 },
  { member: 'mei', seq: 2, points: -4 },
];
const told = (id: string, type: string, data: object) => ({ id, type, member: 'mei', data });
const events = [
  told('1', 'activity.processed', { activity: 'buy' }),
  told('2', 'points.earned', { points: 9, activity: 'buy' }),
  told('3', 'points.redeemed', { points: -4 }),
];
const right: Ledger = { lots: [lot], entries, events };

test.each<[string, Ledger, number, string[]]>([
  ['is right', right, 5, []],
  [
    'has another balance',
    right,
    6,
    [
      'mei has 6 points, and items of 5',
      'mei has 6 points, and journal entries of 5',
      'mei has 6 points, and events of 5',
    ],
  ],
  ['has a torn item', { ...right, lots: [{ ...lot, burnedPoints: 3 }] }, 5, ['item lot is not the sum of its parts']],
  ['lacks an item', { ...right, lots: [] }, 5, ['mei has 5 points, and items of 0']],
  [
    'lacks an entry',
    { ...right, entries: entries.slice(1) },
    5,
    ['mei has 5 points, and journal entries of -4', 'the journal of mei has gaps'],
  ],
  ['lacks an event of points', { ...right, events: events.slice(0, 2) }, 5, ['mei has 5 points, and events of 9']],
  ['has an event twice', { ...right, events: [...events, ...events.slice(0, 1)] }, 5, ['activity buy has 2 events']],
  ['lacks the event of an activity', { ...right, events: events.slice(1) }, 5, ['activity buy has undefined events']],
])('the oracle of the storm says what is wrong with a ledger that %s', (_case, ledger, balance, faults) => {
  expect(ledgerFaults(ledger, new Map([['mei', balance]]), ['buy'])).toEqual(faults);
});

const date = Date.parse('2026-03-01T12:00:00Z');
const operation: Operation = { mark: 'a', kind: 'coupon', member: 'mei', date, value: 1, key: 'k', outcome: 'applied' };
const effect: Effect = { activities: 1, ids: ['1'], isApplied: true, isCancelled: false };

test.each<[string, Partial<Operation>, Partial<Effect> | undefined, number]>([
  ['once', {}, {}, 0],
  ['twice', {}, { activities: 2 }, 1],
  ['not at all, though it was answered', {}, undefined, 1],
  ['not at all, though it was accepted', { outcome: 'accepted' }, undefined, 1],
  ['though it was refused', { outcome: 'refused' }, {}, 1],
  ['at all or not, when it was in doubt', { outcome: 'unknown' }, undefined, 0],
  ['though it was cancelled', { cancel: 'done' }, {}, 1],
  ['no more, though nobody cancelled it', {}, { isCancelled: true }, 1],
])('the oracle of the storm says whether an operation may count %s', (_case, asked, came, count) => {
  const effects = new Map(came ? [['a', { ...effect, ...came }]] : []);
  expect(effectFaults([{ ...operation, ...asked }], effects)).toHaveLength(count);
});

test('the oracle of the storm counts the uses of a coupon and knows when it is used up', () => {
  const refused: Operation = { ...operation, mark: 'b', outcome: 'refused' };
  const effects = new Map([['a', effect]]);
  expect(couponUses([operation], effects)).toEqual({ uses: 1, isUsedUp: false });
  expect(couponUses([operation, refused], effects)).toEqual({ uses: 1, isUsedUp: true });
});

test('a torn answer is found: a purse, an item, an entry', () => {
  const purse = { balance: 5, availBalance: 3, escrowsIn: 2 };
  expect([tornPurses([purse]), tornPurses([{ ...purse, balance: 3 }])]).toEqual([[], [expect.any(String)]]);
  expect([tornLots([lot]), tornLots([{ ...lot, accruedPoints: 5 }])]).toEqual([[], [expect.any(String)]]);
  const entry = { purse: 'p', seq: 1, points: 9, balanceAfter: 9 };
  const next = { purse: 'p', seq: 2, points: -4, balanceAfter: 5 };
  const other = { purse: 'q', seq: 3, points: 1, balanceAfter: 1 };
  expect([tornEntries([entry, other, next]), tornEntries([entry, { ...next, balanceAfter: 6 }])]).toEqual([
    [],
    [expect.any(String)],
  ]);
});

const noAggregates: Aggregates = { day: [], week: [], month: [], quarter: [], halfYear: [], year: [], lifetime: [] };
/** A millisecond before the year ends in the zone of the storm, which is 11 hours ahead of UTC then. */
const newYearsEve = Date.parse('2025-12-31T12:59:59.999Z');
const inDecember = { ...operation, kind: 'accrual' as const, date: newYearsEve, value: 7 };

test('the oracle of the storm knows what each period of the local calendar adds up to', () => {
  const redemption = { ...operation, mark: 'b', kind: 'redemption' as const, date: newYearsEve + 1, value: 4 };
  const cancelled = { ...redemption, mark: 'c' };
  const effects = new Map([
    ['a', effect],
    ['b', effect],
    ['c', { ...effect, isCancelled: true }],
  ]);
  const sums = expectedSums([inDecember, redemption, cancelled], effects, new Map([['1', 2]]));
  const named = (metric: string) =>
    [...sums]
      .filter(([name]) => name.startsWith(`mei ${metric} `))
      .map(([name, value]) => [name.slice(5 + metric.length), value]);
  expect(named('spend')).toEqual([
    ['2025-12-31', 7],
    ['2025 week 53', 7],
    ['2025-12', 7],
    ['2025 quarter 4', 7],
    ['2025 half 2', 7],
    ['2025', 7],
    ['always', 7],
  ]);
  expect(named('pointsRedeemed')).toEqual([
    ['2026-01-01', 4],
    ['2026 week 1', 4],
    ['2026-01', 4],
    ['2026 quarter 1', 4],
    ['2026 half 1', 4],
    ['2026', 4],
    ['always', 4],
  ]);
  expect([named('pointsEarned').at(-1), named('pointsEarned:Bonus').at(-1)]).toEqual([
    ['always', 10],
    ['always', 2],
  ]);
});

test('the oracle of the storm gives points for coming up to the limit of a day, and the next day again', () => {
  const marks = ['a', 'b', 'c', 'd', 'e'];
  const operations = marks.map((mark, n) => ({ ...inDecember, mark, date: newYearsEve + (n < 4 ? 0 : 1) }));
  const effects = new Map(marks.map((mark) => [mark, effect]));
  expect(expectedOf(operations, effects).get('mei')).toEqual({ points: 35, campaign: 0, daily: 4 });
  const sums = expectedSums(operations, effects, new Map());
  const daily = ['2025-12-31', '2026-01-01', 'always'].map((period) => sums.get(`mei pointsEarned:Daily ${period}`));
  expect(daily).toEqual([3, 1, 4]);
});

test('the oracle of the storm says which aggregate is missing, differs, is too many or is there twice', () => {
  const year = { memberId: 'mei', metricName: 'spend', metricAggValue: 7, year: 2025 };
  const expected = new Map([['mei spend 2025', 7]]);
  const faultsOf = (...found: (typeof year)[]) => aggregateFaults(expected, { ...noAggregates, year: found }, ['mei']);
  expect(faultsOf(year)).toEqual([]);
  expect(faultsOf(year, { ...year, memberId: 'another' })).toEqual([]);
  expect(faultsOf()).toEqual(['mei spend 2025 is 0 instead of 7']);
  expect(faultsOf({ ...year, metricAggValue: 6 })).toEqual(['mei spend 2025 is 6 instead of 7']);
  expect(faultsOf(year, { ...year, year: 2024 })).toEqual(['mei spend 2024 is 7 instead of 0']);
  expect(faultsOf(year, year)).toEqual(['mei spend 2025 is there twice']);
});
