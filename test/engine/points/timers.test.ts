import assert from 'node:assert';
import fc from 'fast-check';
import type { LedgerPolicy } from '#engine/points/ledger/ledgerPolicy';
import { scaled } from '../../support/scale';
import { minute, policyNamed } from './builders';
import { type Clawback, commands, MemberPair } from './memberPair';
import { StoredMember } from './storedMember';

const numRuns = scaled(60);

/** All stored records of two members, except the ids of journal entries, which no record refers to. */
function storedOf(pair: MemberPair): unknown {
  return pair.members.map((one) => {
    const { member, purses, lots, entries } = one.stored();
    return { member, purses, lots: byId(lots), entries: entries.map(({ _id, ...entry }) => entry) };
  });
}

function byId<T extends { _id: { toHexString(): string } }>(rows: readonly T[]): T[] {
  return [...rows].sort((a, b) => a._id.toHexString().localeCompare(b._id.toHexString()));
}

test('purses, lots and journal do not depend on when timers ran', () => {
  const clawbacks = fc.array(fc.constantFrom<Clawback>('full', 'toZero', 'pendingOnly'), {
    minLength: 6,
    maxLength: 6,
  });
  const runs = fc.array(fc.boolean(), { minLength: 64, maxLength: 64 });
  fc.assert(
    fc.property(clawbacks, commands, runs, (claws, input, some) => {
      const pairs = [
        new MemberPair(claws, () => true),
        new MemberPair(claws, (at, who) => some[(at * 2 + who) % some.length] ?? false),
        new MemberPair(claws),
      ];
      const [onTime, ...others] = pairs.map((pair) => {
        for (const next of input) pair.run(next);
        pair.run({ do: 'wait', minutes: 40 });
        for (const one of pair.members) if (!one.mergedInto) one.passTo(minute(pair.now));
        return storedOf(pair);
      });
      for (const other of others) assert.deepStrictEqual(other, onTime);
    }),
    { numRuns },
  );
});

const term = (value: number) => ({ value, unit: 'minute' as const });
const policy: LedgerPolicy = policyNamed('Points', {
  overdraftLimit: 50,
  escrow: { type: 'duration', ...term(1) },
  expiry: { type: 'rolling', ...term(3) },
});

test.each([
  ['on time', [1, 4]],
  ['once a lot that was released has expired', [5]],
  ['never before an activity looks', []],
])('points that are released before they expire repay debt, with timers run %s', (_, runs) => {
  const anna = new StoredMember([policy]);
  const purse = policy._id;
  anna.post([{ purse, earn: 30 }]);
  anna.post([{ purse, spend: 50 }]);
  for (const at of runs) anna.passTo(minute(at));
  anna.now = minute(6);
  anna.post([{ purse, earn: 1 }]);
  expect(anna.purse(purse)).toMatchObject({ debt: 20, burnedPoints: 30, expiredPoints: 0, escrowsIn: 1 });
  expect(anna.entries.map(({ kind, at }) => [kind, at])).toEqual([
    ['accrue', minute(0)],
    ['burn', minute(0)],
    ['release', minute(1)],
    ['repay', minute(1)],
    ['accrue', minute(6)],
  ]);
});

test('lots that are released and expire in turn repay debt while they are available', () => {
  const anna = new StoredMember([policy]);
  const purse = policy._id;
  const indebted = anna.post([
    { purse, earn: 10 },
    { purse, spend: 50 },
  ]);
  assert(indebted);
  anna.now = minute(2);
  anna.post([{ purse, earn: 60 }]);
  anna.now = minute(9);
  anna.post([{ purse, earn: 1 }]);
  expect([...anna.lots.values()]).toMatchObject([
    { burnedPoints: 10, repaidPoints: 10 },
    { burnedPoints: 40, repaidPoints: 40, expiredPoints: 20 },
    { escrowedPoints: 1 },
  ]);
  expect(anna.purse(purse)).toMatchObject({ debt: 0, expiredPoints: 20 });
});
