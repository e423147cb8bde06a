import type { ObjectId } from 'bson';
import type { JournalEntry, JournalKind } from '#records/points/journalEntry';
import { repeatedKey } from './repeatedKey';

/** The balances of a purse, as summed from its journal entries. */
export interface ReplayedPurse {
  available: number;
  escrow: number;
  debt: number;
}

/** The parts of a lot, as summed from its journal entries. */
export interface ReplayedLot extends ReplayedPurse {
  id: ObjectId;
  purse: ObjectId;
  accrued: number;
  burned: number;
  expired: number;
  reversed: number;
  /** `accrue` and `transferIn` entries, less `transferOut` entries. More than 1 is a fault. */
  openings: number;
  /** True once points of the lot have been available. */
  hasJoined: boolean;
  /** `seq` of the last entry with which the lot repaid debt; 0 when it never did. */
  repaidSeq: number;
  repaidAt: Date | undefined;
  /** The burned points that are charged as debt and have not been restored since. */
  charged: number;
  /** Points transferred from other members, less points transferred to them; undefined without any transfer. */
  moved: number | undefined;
  /** True when an entry awarded the lot. */
  isAwarded: boolean;
  /** True when points were transferred from or to a member whose journal is not replayed here. */
  isMoved: boolean;
}

/** The result of replaying a journal. The keys are the hexadecimal ids of purse policies and lots. */
export interface Replay {
  purses: ReadonlyMap<string, ReplayedPurse>;
  lots: ReadonlyMap<string, ReplayedLot>;
  /** Entries that move points in a way that their kind does not allow, or whose balances differ from the replay. */
  faults: string[];
}

/**
 * Replays a journal in the order of `seq`. What was archived is in the `opening` entries of purses. Entries before that of
 * their purse stayed without their neighbours, so nothing says here which balances they must have.
 * @param inherited journals of members that were merged into this one, earliest merge first; they change only `lots`
 */
export function rebuildFromJournal(
  entries: readonly JournalEntry[],
  inherited: readonly (readonly JournalEntry[])[] = [],
): Replay {
  const purses = new Map<string, ReplayedPurse>();
  const lots = new Map<string, ReplayedLot>();
  const faults: string[] = [];
  const openings = openingSeqs(entries);
  for (const entry of inherited.flatMap(inOrder)) {
    if (entry.accrualItem) addToLot(lots, entry.accrualItem, entry);
  }
  const keyOf = repeatedKey();
  for (const entry of inOrder(entries)) {
    const key = keyOf(entry.purse);
    const purse = purses.get(key) ?? { available: 0, escrow: 0, debt: 0 };
    purses.set(key, purse);
    addTo(purse, entry);
    faults.push(...entryFaults(entry, entry.seq < (openings.get(key) ?? 0) ? undefined : purse));
    if (entry.accrualItem) addToLot(lots, entry.accrualItem, entry);
  }
  return { purses, lots, faults };
}

/** The number of the opening entry of each purse. */
export function openingSeqs(entries: readonly JournalEntry[]): Map<string, number> {
  return new Map(entries.filter(({ kind }) => kind === 'opening').map(({ purse, seq }) => [purse.toHexString(), seq]));
}

function inOrder(entries: readonly JournalEntry[]): JournalEntry[] {
  return [...entries].sort((a, b) => a.seq - b.seq);
}

function addTo(sums: ReplayedPurse, { available, escrow, debt }: JournalEntry): void {
  sums.available += available;
  sums.escrow += escrow;
  sums.debt += debt;
}

/** @param after the balances after the entry; undefined when they are not known */
function entryFaults(entry: JournalEntry, after: ReplayedPurse | undefined): string[] {
  const name = () => `journal entry ${entry._id} (seq ${entry.seq}, ${entry.kind})`;
  const expected: [string, number, number][] = [
    ['points', entry.points, entry.available + entry.escrow - entry.debt],
    ...(after ? balancesAfter(entry, after) : []),
  ];
  const wrong = expected.filter(([, found, right]) => found !== right);
  return [
    ...wrong.map(([field, found, right]) => `${name()} has ${field} ${found}, but its journal makes that ${right}`),
    ...(shapes[entry.kind](entry) ? [] : [`${name()} moves points in a way that its kind does not`]),
  ];
}

function balancesAfter(
  { balanceAfter, availAfter }: JournalEntry,
  { available, escrow, debt }: ReplayedPurse,
): [string, number, number][] {
  return [
    ['balanceAfter', balanceAfter, available + escrow - debt],
    ['availAfter', availAfter, available - debt],
  ];
}

/** For each kind, tells whether an entry moves points as its kind allows. Entries without a lot change only debt. */
const shapes: Record<JournalKind, (entry: JournalEntry) => boolean> = {
  accrue: ({ accrualItem, available, escrow, debt }) =>
    !!accrualItem && debt === 0 && Math.min(available, escrow) === 0 && Math.max(available, escrow) > 0,
  release: ({ accrualItem, available, escrow, debt }) =>
    !!accrualItem && debt === 0 && available > 0 && escrow === -available,
  burn: (entry) => takesAvailable(entry) || changesDebt(entry, 1),
  expire: (entry) => takesAvailable(entry),
  reverse: (entry) => takesEscrow(entry) || chargesLot(entry) || changesDebt(entry, 1),
  restore: ({ accrualItem, ...entry }) =>
    (!!accrualItem && entry.available > 0 && entry.escrow === 0 && entry.debt === 0) ||
    changesDebt({ accrualItem, ...entry }, -1),
  repay: ({ accrualItem, available, escrow, debt }) =>
    !!accrualItem && available < 0 && escrow === 0 && debt === available,
  transferIn: () => true,
  transferOut: () => true,
  adjust: () => true,
  opening: ({ accrualItem }) => !accrualItem,
};

type Moved = Pick<JournalEntry, 'available' | 'escrow' | 'debt'> & { accrualItem?: ObjectId | undefined };

function takesAvailable({ accrualItem, available, escrow, debt }: Moved): boolean {
  return !!accrualItem && available < 0 && escrow === 0 && debt === 0;
}

function takesEscrow({ accrualItem, available, escrow, debt }: Moved): boolean {
  return !!accrualItem && available <= 0 && escrow <= 0 && available + escrow < 0 && debt === 0;
}

/** The burned part of a reversed award is charged as debt. Debt is 0 when all of it was forgiven. */
function chargesLot({ accrualItem, available, escrow, debt }: Moved): boolean {
  return !!accrualItem && available === 0 && escrow === 0 && debt >= 0;
}

function changesDebt({ accrualItem, available, escrow, debt }: Moved, sign: 1 | -1): boolean {
  return !accrualItem && available === 0 && escrow === 0 && debt * sign > 0;
}

function addToLot(lots: Map<string, ReplayedLot>, id: ObjectId, entry: JournalEntry): void {
  const key = id.toHexString();
  const lot = lots.get(key) ?? newReplay(id, entry.purse);
  lots.set(key, lot);
  addTo(lot, entry);
  const { kind, available, escrow } = entry;
  const points = available + escrow;
  if (kind === 'accrue' || (kind === 'adjust' && points > 0)) lot.accrued += points;
  if (kind === 'burn' || kind === 'repay' || kind === 'restore') lot.burned -= available;
  if (kind === 'expire') lot.expired -= available;
  if (kind === 'reverse' || (kind === 'adjust' && points < 0)) lot.reversed -= points;
  if (kind === 'accrue' || kind === 'transferIn') lot.openings += 1;
  if (kind === 'transferOut') lot.openings -= 1;
  if (kind === 'repay') Object.assign(lot, { repaidSeq: entry.seq, repaidAt: entry.at });
  if (kind === 'reverse') lot.charged += entry.debt;
  if (kind === 'restore') lot.charged -= Math.min(available, lot.charged);
  if (kind === 'transferIn' || kind === 'transferOut') lot.moved = (lot.moved ?? 0) + points;
  lot.isAwarded ||= kind === 'accrue' || (kind === 'adjust' && points > 0);
  lot.isMoved = lot.moved !== undefined && (lot.moved !== 0 || !lot.isAwarded);
  if (available > 0) lot.hasJoined = true;
}

function newReplay(id: ObjectId, purse: ObjectId): ReplayedLot {
  const sums = { available: 0, escrow: 0, debt: 0, accrued: 0, burned: 0, expired: 0, reversed: 0 };
  return {
    id,
    purse,
    ...sums,
    openings: 0,
    hasJoined: false,
    repaidSeq: 0,
    repaidAt: undefined,
    charged: 0,
    moved: undefined,
    isAwarded: false,
    isMoved: false,
  };
}
