import assert from 'node:assert';
import { ObjectId } from 'bson';
import { checkInvariants, type MemberLedger } from '#members/reconcile/checkInvariants';
import type { JournalEntry, JournalKind } from '#records/points/journalEntry';
import type { Lot } from '#records/points/lot';
import type { Purse } from '#records/points/purse';
import { minute, policyNamed, someId } from '../../engine/points/builders';
import { StoredMember } from '../../engine/points/storedMember';

/** Makes a member whose journal has every kind of entry but transfers and adjustments. */
function livedIn(): MemberLedger {
  const policy = policyNamed('Points', { overdraftLimit: 200 });
  const purse = policy._id;
  const anna = new StoredMember([policy, policyNamed('Stars')]);
  const bought = anna.post([{ purse, earn: 100 }]);
  anna.post([{ purse, earn: 10, expiry: { type: 'rolling', value: 5, unit: 'minute' } }]);
  const redeemed = anna.post([{ purse, spend: 130 }]);
  anna.post([{ purse, earn: 40, escrow: { type: 'duration', value: 5, unit: 'minute' } }]);
  anna.passTo(minute(5));
  assert(bought && redeemed);
  anna.giveBack(redeemed, { returned: 1, of: 2 });
  anna.giveBack(bought, { returned: 1, of: 2 });
  anna.post([{ purse, earn: 70, escrow: { type: 'duration', value: 50, unit: 'minute' } }]);
  anna.post([{ purse, earn: 60, expiry: { type: 'rolling', value: 50, unit: 'minute' } }]);
  return anna.stored();
}

/** Returns the parts of a ledger that a test replaces by wrong ones. */
type Corrupt = (ledger: MemberLedger) => Partial<MemberLedger>;

function entryOf(ledger: MemberLedger, kind: JournalKind): JournalEntry {
  const entry = ledger.entries.find((one) => one.kind === kind);
  assert(entry, `no entry of kind ${kind}`);
  return entry;
}

function withEntry(ledger: MemberLedger, kind: JournalKind, change: Partial<JournalEntry>): Partial<MemberLedger> {
  const changed = entryOf(ledger, kind);
  return { entries: ledger.entries.map((entry) => (entry === changed ? { ...entry, ...change } : entry)) };
}

function withLot(ledger: MemberLedger, fits: (lot: Lot) => boolean, change: (lot: Lot) => Partial<Lot>) {
  const changed = ledger.lots.find(fits);
  assert(changed, 'no such lot');
  return { lots: ledger.lots.map((lot) => (lot === changed ? { ...lot, ...change(lot) } : lot)) };
}

function withPurse({ purses }: MemberLedger, change: (purse: Purse) => Partial<Purse>) {
  return { purses: purses.map((purse, index) => (index === 0 ? { ...purse, ...change(purse) } : purse)) };
}

const lived = (lot: Lot) => lot.state === 'available';
const inEscrow = (lot: Lot) => lot.state === 'escrow';

test('an unedited ledger has no mismatch', () => {
  const ledger = livedIn();
  expect(checkInvariants(ledger)).toEqual([]);
  const kinds: JournalKind[] = ['accrue', 'burn', 'repay', 'release', 'expire', 'restore', 'reverse'];
  expect(kinds.filter((kind) => !ledger.entries.some((entry) => entry.kind === kind))).toEqual([]);
});

test('a member without activities has no mismatch', () => {
  expect(checkInvariants({ member: { _id: someId(), seq: 0 }, purses: [], lots: [], entries: [] })).toEqual([]);
});

const balances = [
  'balance',
  'availBalance',
  'escrowsIn',
  'debt',
  'accruedPoints',
  'burnedPoints',
  'expiredPoints',
  'expiresIn',
];

test.each(balances)('an edited %s of a purse is found', (field) => {
  expectFound((ledger) => withPurse(ledger, (purse) => ({ [field]: Number(purse[field as keyof Purse]) + 1 })), field);
});

const lotFields = [
  'accruedPoints',
  'escrowedPoints',
  'availablePoints',
  'burnedPoints',
  'expiredPoints',
  'reversedPoints',
];

test.each(lotFields)('an edited %s of a lot is found', (field) => {
  expectFound((ledger) => withLot(ledger, lived, (lot) => ({ [field]: Number(lot[field as keyof Lot]) + 1 })), 'lot');
});

const entryFields = ['available', 'escrow', 'debt', 'points', 'balanceAfter', 'availAfter'];

test.each(entryFields)('an edited %s of a journal entry is found', (field) => {
  expectFound((ledger) => withEntry(ledger, 'burn', { [field]: 12_345 }), 'journal entry');
});

const corruptions: [string, Corrupt, string][] = [
  [
    'points moved from one part of a lot to another',
    (ledger) =>
      withLot(ledger, lived, ({ availablePoints }) => ({ availablePoints: availablePoints - 1, expiredPoints: 1 })),
    'availablePoints',
  ],
  [
    'burned points shown as reversed',
    (ledger) =>
      withLot(
        ledger,
        ({ burnedPoints, repaidPoints }) => burnedPoints > repaidPoints,
        (lot) => ({ burnedPoints: lot.burnedPoints - 1, reversedPoints: lot.reversedPoints + 1 }),
      ),
    'reversedPoints',
  ],
  ['a wrong state', (ledger) => withLot(ledger, lived, () => ({ state: 'burned' })), 'has state burned'],
  ['a wrong hasExpired', (ledger) => withLot(ledger, lived, () => ({ hasExpired: true })), 'hasExpired'],
  ['a wrong hasBurned', (ledger) => withLot(ledger, lived, () => ({ hasBurned: true })), 'hasBurned'],
  ['a wrong hasEscrowed', (ledger) => withLot(ledger, inEscrow, () => ({ hasEscrowed: true })), 'hasEscrowed'],
  ['a lot of another member', (ledger) => withLot(ledger, lived, () => ({ member: someId() })), 'belongs to member'],
  [
    'a lot in another purse',
    (ledger) => withLot(ledger, lived, () => ({ purse: ledger.purses[1]?.policyId ?? someId() })),
    'in another purse',
  ],
  ['a lot in no purse', (ledger) => withLot(ledger, lived, () => ({ purse: someId() })), 'does not have'],
  ['more repaid than burned', (ledger) => withLot(ledger, lived, () => ({ repaidPoints: 99 })), 'do not add up'],
  ['a wrong repaidSeq', (ledger) => withLot(ledger, lived, () => ({ repaidSeq: 3 })), 'repaidSeq'],
  [
    'another expiry of a lot',
    (ledger) =>
      withLot(
        ledger,
        ({ dtExpiresOn, ...lot }) => lived({ ...lot }) && !!dtExpiresOn,
        () => ({ dtExpiresOn: minute(900) }),
      ),
    'nextExpiry',
  ],
  [
    'another release of a lot',
    (ledger) => withLot(ledger, inEscrow, () => ({ dtEscrowsOn: minute(900) })),
    'nextEscrow',
  ],
  ['a deleted lot', (ledger) => ({ lots: ledger.lots.slice(1) }), 'does not exist'],
  [
    'an orphan lot',
    (ledger) => ({ lots: [...ledger.lots, { ...(ledger.lots[0] ?? assert.fail()), _id: new ObjectId() }] }),
    'orphan',
  ],
  ['a doubled lot', (ledger) => ({ lots: [...ledger.lots, ledger.lots[0] ?? assert.fail()] }), 'its lots'],
  [
    'a deleted journal entry',
    (ledger) => ({ entries: ledger.entries.filter((_, index) => index !== 3) }),
    'no entry with seq 4',
  ],
  ['a deleted last journal entry', (ledger) => ({ entries: ledger.entries.slice(0, -1) }), 'no entry with seq'],
  [
    'a doubled journal entry',
    (ledger) => ({ entries: [...ledger.entries, { ...entryOf(ledger, 'accrue'), _id: someId() }] }),
    'both have seq',
  ],
  [
    'a journal entry doubled under a new seq',
    (ledger) => ({
      entries: [...ledger.entries, { ...entryOf(ledger, 'accrue'), _id: someId(), seq: ledger.member.seq + 1 }],
    }),
    'accrued 2 times',
  ],
  ['a journal entry with a broken seq', (ledger) => withEntry(ledger, 'expire', { seq: 99 }), 'seq'],
  ['a journal entry of another kind', (ledger) => withEntry(ledger, 'expire', { kind: 'burn' }), 'expiredPoints'],
  [
    'a journal entry of an impossible kind',
    (ledger) => withEntry(ledger, 'expire', { kind: 'accrue' }),
    'its kind does not',
  ],
  [
    'a journal entry of another purse',
    (ledger) => withEntry(ledger, 'release', { purse: ledger.purses[1]?.policyId ?? someId() }),
    'has',
  ],
  [
    'a journal entry of a purse that the member does not have',
    (ledger) => withEntry(ledger, 'release', { purse: someId() }),
    'has no purse',
  ],
  [
    'a journal entry of another lot',
    (ledger) => withEntry(ledger, 'burn', { accrualItem: ledger.lots.at(-1)?._id ?? someId() }),
    'burnedPoints',
  ],
  ['a member that counts too few entries', ({ member }) => ({ member: { ...member, seq: member.seq - 1 } }), 'counts'],
  [
    'a member that counts too many entries',
    ({ member }) => ({ member: { ...member, seq: member.seq + 1 } }),
    'no entry with seq',
  ],
  ['a lost due date, so that no timer would come', ({ member: { _id, seq } }) => ({ member: { _id, seq } }), 'nextDue'],
  [
    'a lost end of an aggregate, so that no timer would come',
    ({ member }) => ({ member: { ...member, aggregates: [{ expirationDate: minute(1) }] } }),
    'aggregatesEndAt',
  ],
  ['a due date too late', ({ member }) => ({ member: { ...member, nextDue: minute(9_999) } }), 'nextDue'],
  ['a lost purse', ({ purses }) => ({ purses: purses.slice(1) }), 'has no purse'],
];

test.each(corruptions)('%s is found', (_name, corrupt, message) => {
  expectFound(corrupt, message);
});

function expectFound(corrupt: Corrupt, text: string): void {
  const ledger = livedIn();
  const messages = checkInvariants({ ...ledger, ...corrupt(ledger) }).map(({ message }) => message);
  expect(messages.join('\n')).toContain(text);
  for (const message of messages) expect(message).toMatch(/^Member [0-9a-f]{24}: /);
}

test('a lot that went to another member is neither missed nor checked there', () => {
  const ledger = livedIn();
  const lot = ledger.lots.find(lived);
  const purse = ledger.purses[0];
  assert(lot && purse);
  const left: JournalEntry = {
    ...entryOf(ledger, 'accrue'),
    _id: someId(),
    seq: ledger.member.seq + 1,
    kind: 'transferOut',
    accrualItem: lot._id,
    available: -lot.availablePoints,
    escrow: 0,
    debt: 0,
    points: -lot.availablePoints,
    balanceAfter: purse.balance - lot.availablePoints,
    availAfter: purse.availBalance - lot.availablePoints,
  };
  const messages = checkInvariants({
    ...ledger,
    entries: [...ledger.entries, left],
    lots: ledger.lots.filter((one) => one !== lot),
  }).map(({ message }) => message);
  expect(messages.filter((message) => message.includes(lot._id.toHexString()))).toEqual([]);
});

describe('the charge of a lot whose award was cancelled', () => {
  const policy = policyNamed('Points', { clawback: 'toZero' });
  const purse = policy._id;

  /** Makes a lot with 40 charged points, which another lot repaid, and 20 forgiven points. */
  function charged(): MemberLedger {
    const anna = new StoredMember([policy]);
    const bought = anna.post([{ purse, earn: 100 }]);
    anna.post([{ purse, spend: 60 }]);
    anna.now = minute(1);
    anna.post([{ purse, earn: 40 }]);
    assert(bought);
    anna.giveBack(bought);
    return anna.stored();
  }
  const first = ({ chargedPoints = 0 }: Lot) => chargedPoints > 0;
  const other = ({ repaidPoints }: Lot) => repaidPoints > 0;

  test('is kept with the lot', () => {
    const ledger = charged();
    expect(ledger.lots.find(first)).toMatchObject({ burnedPoints: 60, chargedPoints: 40, forgivenPoints: 20 });
    expect(ledger.lots.find(other)).toMatchObject({ burnedPoints: 40, repaidAt: minute(1) });
    expect(checkInvariants(ledger)).toEqual([]);
  });

  test.each<[string, Corrupt, string]>([
    ['less charged', (ledger) => withLot(ledger, first, () => ({ chargedPoints: 39 })), 'chargedPoints 39'],
    [
      'more charged',
      (ledger) => withLot(ledger, first, () => ({ chargedPoints: 41, forgivenPoints: 19 })),
      '41 charged points',
    ],
    ['more owed than burned', (ledger) => withLot(ledger, first, () => ({ forgivenPoints: 21 })), 'do not add up'],
    ['another moment', (ledger) => withLot(ledger, other, () => ({ repaidAt: minute(9) })), 'repaidAt'],
  ])('is found when it is wrong: %s', (_, corrupt, message) => {
    const ledger = charged();
    const found = checkInvariants({ ...ledger, ...corrupt(ledger) });
    expect(found.map((each) => each.message).join('\n')).toContain(message);
  });

  test('is nothing on lots that were stored before it was kept', () => {
    const ledger = charged();
    const lots = ledger.lots.map(({ chargedPoints: _c, forgivenPoints: _f, repaidAt: _r, ...lot }) => lot);
    const entries = ledger.entries.map(({ accrualItem, ...entry }) =>
      entry.kind === 'reverse' && entry.available === 0 ? entry : { ...entry, ...(accrualItem ? { accrualItem } : {}) },
    );
    expect(checkInvariants({ ...ledger, lots, entries })).toEqual([]);
  });
});
