import { available } from '../oracle/ledger';
import type { OracleMember } from '../oracle/member';
import type { Compared } from './compare';

/** An entry of the journal, as the API shows it. */
export interface Entry {
  _id: string;
  at: string;
  seq: number;
  kind: string;
  purse: string;
  available: number;
  escrow: number;
  debt: number;
  points: number;
  balanceAfter: number;
  availAfter: number;
}

/** Kinds of entries of which the contract says what each one sums up. */
const summed = ['accrue', 'release', 'burn', 'expire', 'adjust'];

/** Compares the journal of a member, and of those merged into it: each entry with those before, and the sums. */
export async function compareJournal({ fleet, program, compare }: Compared, member: OracleMember): Promise<void> {
  const sums = new Map<string, number>();
  const add = (key: string, value: number) => sums.set(key, (sums.get(key) ?? 0) + value);
  for (const id of [member.id, ...member.mergeIds]) {
    const after = new Map<string, { available: number; balance: number }>();
    let seq = 0;
    for await (const entry of entriesOf(fleet, id)) {
      seq += 1;
      const { available: change, escrow, debt, points, purse } = entry;
      const where = `${member.loyaltyID} entry ${seq} of ${id}`;
      compare.equal(`${where} seq`, entry.seq, seq);
      compare.equal(`${where} points`, points, change + escrow - debt);
      const before = after.get(purse) ?? { available: 0, balance: 0 };
      const now = { available: before.available + change - debt, balance: before.balance + points };
      after.set(purse, now);
      compare.equal(`${where} availAfter`, entry.availAfter, now.available);
      compare.equal(`${where} balanceAfter`, entry.balanceAfter, now.balance);
      for (const [part, value] of Object.entries({ available: change, escrow, debt })) {
        add(`${purse} ${part}`, value);
        add(`${purse} ${entry.kind} ${part}`, value);
      }
    }
  }
  for (const [name, purse] of member.purses) {
    const id = program.purseIds.get(name) ?? '';
    const where = `${member.loyaltyID} journal of ${name}`;
    const totals = {
      available: available(purse),
      escrow: purse.lots.reduce((sum, { escrow }) => sum + escrow, 0),
      debt: purse.debt,
    };
    for (const [part, total] of Object.entries(totals)) {
      compare.equal(`${where} ${part}`, sums.get(`${id} ${part}`) ?? 0, total);
      for (const kind of summed) {
        const expected = member.journal.get(name)?.get(kind)?.[part as keyof typeof totals] ?? 0;
        compare.equal(`${where} ${kind} ${part}`, sums.get(`${id} ${kind} ${part}`) ?? 0, expected + 0);
      }
    }
  }
}

/** The journal of one member, in the order of its entries. */
export async function* entriesOf(fleet: Compared['fleet'], member: string): AsyncGenerator<Entry> {
  for (let skip = 0, more = true; more; skip += 1000) {
    const { body } = await fleet.client().get(`/journal?member=${member}&sort=seq&limit=1000&skip=${skip}`);
    yield* body;
    more = body.length === 1000;
  }
}
