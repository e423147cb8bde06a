import assert from 'node:assert';
import type { ObjectId } from 'bson';
import type { PostedEntry, PostedKind } from '#records/points/journalEntry';
import type { Lot } from '#records/points/lot';
import type { Purse } from '#records/points/purse';
import type { InactivityTerms } from '#records/points/terms';
import { type PartChange, withParts } from '../lots/lotParts';
import { MemberLots } from '../lots/memberLots';
import type { LedgerPolicy } from './ledgerPolicy';
import {
  type Dues,
  earliestDue,
  expiresInactive,
  ledgerPurses,
  nextDues,
  withChange,
  withInactivity,
  withoutDues,
} from './purses';

/** The stored data from which a ledger is opened. */
export interface LedgerInput {
  member: { _id: ObjectId; program: ObjectId };
  purses: readonly Purse[];
  /** The number of journal entries written so far. */
  seq: number;
  policies: readonly LedgerPolicy[];
  /** The member's lots that have points, and the lots of a return; absent when nothing will be burned or is due. */
  lots?: readonly Lot[];
  timezone: string;
  now: Date;
}

/** Where a change comes from. */
export interface Origin {
  activity?: ObjectId;
  rule?: ObjectId;
  ruleVersion?: number;
  /** The offer or the reward whose points they are. */
  offer?: ObjectId;
  reward?: ObjectId;
}

/** One change of a purse, and of one of its lots if the change concerns a lot. */
export interface Posting {
  purse: ObjectId;
  kind: PostedKind;
  lot?: Lot;
  parts?: PartChange;
  debt?: number;
  origin?: Origin;
  /** When it takes effect; default now. A release or expiry that was due earlier takes effect at its due date. */
  at?: Date;
}

/** Everything a ledger changed since it was opened. */
export interface LedgerChanges {
  inserted: Lot[];
  updated: Lot[];
  entries: PostedEntry[];
  purses: Purse[];
  seq: number;
  nextDue: Date | undefined;
}

/** A purse as a ledger works on it. */
interface LedgerPurse {
  purse: Purse;
  /** Its next release and expiry must be computed again. */
  isStale: boolean;
}

/** Opens the ledger of a member. Every policy without a purse gets a purse at zero. */
export function openLedger(input: LedgerInput): Ledger {
  return Ledger.open(input);
}

/**
 * The purses and lots of one member with unsaved changes. Operations (`accrue`, `burn`, `settle`, `returnToLedgers`)
 * post changes, each with a journal entry. Nothing is written until the commit. Changes of a fork do not affect its
 * original.
 */
export class Ledger {
  private constructor(
    readonly input: LedgerInput,
    readonly lots: MemberLots,
    /** A member has few purses, so a linear search is faster than an index by id. */
    private readonly entries: LedgerPurse[],
    private readonly posted: PostedEntry[],
  ) {}

  static open(input: LedgerInput): Ledger {
    const { member, purses, policies, now } = input;
    const named = ledgerPurses({ _id: member._id, purses }, policies, () => now);
    const entries = named.map((purse) => ({ purse: withInactivity(purse, policies), isStale: false }));
    return new Ledger(input, MemberLots.open(input.lots), entries, []);
  }

  fork(): Ledger {
    const entries = this.entries.map(({ purse, isStale }) => ({ purse, isStale }));
    return new Ledger(this.input, this.lots.fork(), entries, [...this.posted]);
  }

  get now(): Date {
    return this.input.now;
  }

  /** The number of journal entries so far, with those that are not written yet. */
  get seq(): number {
    return this.input.seq + this.posted.length;
  }

  get timezone(): string {
    return this.input.timezone;
  }

  lot(id: ObjectId): Lot | undefined {
    return this.lots.get(id);
  }

  policy(purse: ObjectId): LedgerPolicy {
    const policy = this.input.policies.find(({ _id }) => _id.equals(purse));
    assert(policy, 'a purse has a policy');
    return policy;
  }

  /** The purse of a policy, with all changes so far. */
  purse(policyId: ObjectId): Purse {
    return this.fresh(this.entryOf(policyId));
  }

  purses(): Purse[] {
    return this.entries.map((entry) => this.fresh(entry));
  }

  /**
   * Posts one change: updates the parts of the lot and the sums of the purse, and adds a journal entry.
   * @returns the changed lot; undefined when the posting concerns no lot
   * @throws PointsOverflow when a sum would not be exact
   */
  post(posting: Posting): Lot | undefined {
    const { kind, lot, parts = {}, debt = 0, at = this.now } = posting;
    const entry = this.entryOf(posting.purse);
    const purse = withChange(entry.purse, parts, debt, at);
    const seq = this.seq + 1;
    Object.assign(entry, { purse, isStale: true });
    this.posted.push(this.entry(purse, posting, seq));
    if (!lot) return undefined;
    const changed = withParts(kind === 'repay' ? { ...lot, repaidAt: at, repaidSeq: seq } : lot, parts);
    this.lots.put(changed);
    return changed;
  }

  /** When points of a purse expire by inactivity. */
  inactiveOn(policyId: ObjectId): Date | undefined {
    return this.entryOf(policyId).purse.inactiveOn;
  }

  /**
   * Moves the inactivity date of a purse; never to an earlier date. The lots that expire by inactivity must be loaded,
   * because the ledger must know how many points expire at the new date.
   * @returns whether the date changed
   */
  moveInactiveOn(policyId: ObjectId, date: Date): boolean {
    const entry = this.entryOf(policyId);
    const { purse } = entry;
    if (purse.inactiveOn && purse.inactiveOn >= date) return false;
    assert(
      this.lots.isLoaded || !expiresInactive(this.duesNotLoaded(policyId)),
      'lots are loaded where they get a date',
    );
    Object.assign(entry, { purse: { ...purse, inactiveOn: date, updatedAt: this.now }, isStale: true });
    return true;
  }

  /** Sets the inactivity date of a purse, also to an earlier one or to none. The lots must be loaded. */
  setInactiveOn(policyId: ObjectId, date: Date | undefined): void {
    assert(this.lots.isLoaded, 'lots are loaded where they get a date');
    const entry = this.entryOf(policyId);
    const { inactiveOn: _before, ...purse } = entry.purse;
    const dated = { ...purse, ...(date ? { inactiveOn: date } : {}), updatedAt: this.now };
    Object.assign(entry, { purse: dated, isStale: true });
  }

  /** Sets the inactivity terms of a purse that has none. */
  adoptInactivity(policyId: ObjectId, inactivity: InactivityTerms | undefined): void {
    const entry = this.entryOf(policyId);
    if (inactivity && !entry.purse.inactivity) entry.purse = { ...entry.purse, inactivity };
  }

  changes(): LedgerChanges {
    const purses = this.purses();
    return {
      inserted: this.lots.inserted(),
      updated: this.lots.updated(),
      entries: [...this.posted],
      purses,
      seq: this.seq,
      nextDue: earliestDue(purses),
    };
  }

  private duesOf({ policyId, inactiveOn }: Purse): Dues {
    return nextDues(this.lots.queuesOf(policyId), inactiveOn, this.duesNotLoaded(policyId));
  }

  /** The dues of lots that were not loaded. These lots do not change, so the stored purse has their dates. */
  private duesNotLoaded(policyId: ObjectId): Partial<Purse> {
    const stored = !this.lots.isLoaded && this.input.purses.find((purse) => purse.policyId.equals(policyId));
    return stored || {};
  }

  private entryOf(policyId: ObjectId): LedgerPurse {
    const entry = this.entries.find(({ purse }) => purse.policyId.equals(policyId));
    assert(entry, 'a member has a purse of every policy of its program');
    return entry;
  }

  private fresh(entry: LedgerPurse): Purse {
    if (!entry.isStale) return entry.purse;
    const purse = { ...withoutDues(entry.purse), ...this.duesOf(entry.purse) };
    Object.assign(entry, { purse, isStale: false });
    return purse;
  }

  private entry(purse: Purse, { kind, lot, parts = {}, debt = 0, origin = {}, at }: Posting, seq: number): PostedEntry {
    const { availablePoints: available = 0, escrowedPoints: escrow = 0 } = parts;
    return {
      member: this.input.member._id,
      purse: purse.policyId,
      seq,
      kind,
      available,
      escrow,
      debt,
      points: available + escrow - debt,
      ...(lot ? { accrualItem: lot._id } : {}),
      ...origin,
      at: at ?? this.now,
      balanceAfter: purse.balance,
      availAfter: purse.availBalance,
    };
  }
}
