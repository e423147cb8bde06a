import type { OracleMember } from '../oracle/member';
import type { Compared } from './compare';
import { type Entry, entriesOf } from './compareJournal';

/** Entries of a page: a number that no other length is a multiple of. */
const pageLength = 97;

/** Compares the statement of a member with the journals of it and of those merged into it: all of them, by purse and time. */
export async function compareStatement({ fleet, program, compare }: Compared, member: OracleMember): Promise<void> {
  const journal = new Map<string, Entry>();
  for (const id of [member.id, ...member.mergeIds]) {
    for await (const entry of entriesOf(fleet, id)) journal.set(entry._id, entry);
  }
  const all = await statementOf(fleet, member.id);
  compare.equal(`${member.loyaltyID} length of the statement`, all.length, journal.size);
  const seen = new Set<string>();
  const ended = new Set<string>();
  for (const [at, entry] of all.entries()) {
    const before = all[at - 1];
    const where = `${member.loyaltyID} line ${at} of the statement`;
    const isNew = !seen.has(entry._id);
    seen.add(entry._id);
    if (before && before.purse !== entry.purse) ended.add(before.purse);
    const isLater = !before || before.purse !== entry.purse || before.at <= entry.at;
    const isThere = JSON.stringify(entry) === JSON.stringify(journal.get(entry._id));
    compare.equal(where, isThere && isNew && isLater && !ended.has(entry.purse), true);
  }
  for (const [name, purse] of program.purseIds) {
    const shown = await statementOf(fleet, member.id, purse);
    const own = all.filter((entry) => entry.purse === purse);
    const ids = (entries: readonly Entry[]) => entries.map(({ _id }) => _id).join(' ');
    compare.equal(`${member.loyaltyID} statement of ${name}`, ids(shown), ids(own));
  }
}

async function statementOf(fleet: Compared['fleet'], member: string, purse?: string): Promise<Entry[]> {
  const all: Entry[] = [];
  const only = purse === undefined ? '' : `&purse=${purse}`;
  for (let skip = 0, more = true; more; skip += pageLength) {
    const { body } = await fleet.client().get(`/members/${member}/statement?limit=${pageLength}&skip=${skip}${only}`);
    all.push(...body);
    more = body.length === pageLength;
  }
  return all;
}
