import { type Ledger, ledgerFaults } from './ledger';
import { couponUses, type Effect, effectFaults, type Operation } from './operations';
import { tornEntries, tornLots, tornPurses } from './torn';

const lot = {
  _id: 'lot',
  member: 'mei',
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

const operation: Operation = { mark: 'a', kind: 'coupon', member: 'mei', value: 1, key: 'k', outcome: 'applied' };
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
