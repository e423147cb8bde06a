import type { ArchivedPurse } from '#records/archives/archiveOpening';
import type { JournalEntry } from '#records/points/journalEntry';

/**
 * Finds faults of what stands for archived entries: the `opening` entry of each purse must say what the sums say, and the
 * balances of the entries before it must be those with which they stayed.
 */
export function openingFaults(archived: readonly ArchivedPurse[], entries: readonly JournalEntry[]): string[] {
  const openings = entries.filter(({ kind }) => kind === 'opening');
  const known = new Set(archived.filter((each) => each.entries > 0).map(({ purse }) => purse.toHexString()));
  const unknown = openings.filter(({ purse }) => !known.has(purse.toHexString()));
  return [
    ...archived.filter((sums) => sums.entries > 0).flatMap((sums) => purseFaults(sums, openings, entries)),
    ...unknown.map(({ _id }) => `opening entry ${_id} is of a purse of which nothing is archived`),
  ];
}

type ComparedField = [field: string, found: number, right: number];

function purseFaults(
  sums: ArchivedPurse,
  openings: readonly JournalEntry[],
  entries: readonly JournalEntry[],
): string[] {
  const isOwn = ({ purse }: JournalEntry) => purse.equals(sums.purse);
  const [opening, ...more] = openings.filter(isOwn);
  if (!opening || more.length > 0) return [`purse policy ${sums.purse} has ${openings.length} opening entries`];
  const kept = entries.filter((entry) => isOwn(entry) && entry.seq < sums.seq && entry.kind !== 'opening');
  const compared: ComparedField[] = [
    ['seq', opening.seq, sums.seq],
    ['available', opening.available, sums.available],
    ['escrow', opening.escrow, sums.escrow],
    ['debt', opening.debt, sums.debt],
    ['balances before it', total(kept, 'balanceAfter'), sums.keptBalance],
    ['available balances before it', total(kept, 'availAfter'), sums.keptAvail],
  ];
  return compared.flatMap(([field, found, right]) =>
    found === right ? [] : [`opening entry ${opening._id} has ${field} ${found}, but the archive has ${right}`],
  );
}

function total(entries: readonly JournalEntry[], field: 'balanceAfter' | 'availAfter'): number {
  return entries.reduce((sum, entry) => sum + entry[field], 0);
}
