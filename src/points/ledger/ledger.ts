import assert from 'node:assert';
import type { ObjectId } from 'bson';
import type { JournalKind, PostedEntry } from '../../records/points/journalEntry';
import type { Lot } from '../../records/points/lot';
import type { Purse } from '../../records/points/purse';
import type { InactivityTerms } from '../../records/points/terms';
import { type PartChange, withParts } from '../lots/lotParts';
import { MemberLots } from '../lots/memberLots';
import type { LedgerPolicy } from './ledgerPolicy';
import {
  type Dues,
  duesOf,
  earliestDue,
  expiresInactive,
  pursesOf,
  withChange,
  withInactivity,
  withoutDues,
} from './purses';

/** What a ledger is opened from. */
export interface LedgerInput {
  member: { _id: ObjectId; program: ObjectId };
  purses: readonly Purse[];
  /** Journal entries written so far. */
  seq: number;
  policies: readonly LedgerPolicy[];
  /** The member's lots that hold points, and those to give back; absent when nothing will be burned or is due. */
  lots?: readonly Lot[];
  timezone: string;
  now: Date;
}

/** Where a change comes from. */
export interface Origin {
  activity?: ObjectId;
  rule?: ObjectId;
  ruleVersion?: number;
}

/** One change of a purse, and of a lot of it when it concerns one. */
export interface Posting {
  purse: ObjectId;
  kind: JournalKind;
  lot?: Lot;
  parts?: PartChange;
  debt?: number;
  origin?: Origin;
  /** When it took effect; absent: now. What was due before now took effect then, however late it is noticed. */
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
  /** Its next release and expiry are to be found anew. */
  isStale: boolean;
}

/** Opens the ledger of a member; a policy without a purse gets one at zero. */
export function openLedger(input: LedgerInput): Ledger {
  return Ledger.open(input);
}

/**
 * The purses and lots of one member as a draft: operations (`accrue`, `burn`, `settle`, `giveBack`) post changes to it,
 * each with a journal entry; nothing is written until the commit. A fork is independent of what it was made from.
 */
export class Ledger {
  private constructor(
    readonly input: LedgerInput,
    readonly lots: MemberLots,
    /** Few, so that looking through them is quicker than an index by id. */
    private readonly held: LedgerPurse[],
    private readonly posted: PostedEntry[],
  ) {}

  static open(input: LedgerInput): Ledger {
    const { member, purses, policies, now } = input;
    const named = pursesOf({ _id: member._id, purses }, policies, () => now);
    const held = named.map((purse) => ({ purse: withInactivity(purse, policies), isStale: false }));
    return new Ledger(input, MemberLots.open(input.lots), held, []);
  }

  fork(): Ledger {
    const held = this.held.map(({ purse, isStale }) => ({ purse, isStale }));
    return new Ledger(this.input, this.lots.fork(), held, [...this.posted]);
  }

  get now(): Date {
    return this.input.now;
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

  /** The purse of a policy as it is now. */
  purse(policyId: ObjectId): Purse {
    return this.fresh(this.heldOf(policyId));
  }

  purses(): Purse[] {
    return this.held.map((held) => this.fresh(held));
  }

  /**
   * Posts one change: the lot's parts (of a new lot, from nothing), the purse's sums and a journal entry, together.
   * @returns the lot as changed
   * @throws PointsOverflow when a sum would not be exact
   */
  post(posting: Posting): Lot | undefined {
    const { kind, lot, parts = {}, debt = 0, at = this.now } = posting;
    const held = this.heldOf(posting.purse);
    const purse = withChange(held.purse, parts, debt, at);
    const seq = this.input.seq + this.posted.length + 1;
    Object.assign(held, { purse, isStale: true });
    this.posted.push(this.entry(purse, posting, seq));
    if (!lot) return undefined;
    const changed = withParts(kind === 'repay' ? { ...lot, repaidAt: at, repaidSeq: seq } : lot, parts);
    this.lots.put(changed);
    return changed;
  }

  /** When the points of a purse expire that do so by inactivity. */
  inactiveOn(policyId: ObjectId): Date | undefined {
    return this.heldOf(policyId).purse.inactiveOn;
  }

  /**
   * Moves the date of a purse's inactivity; never to an earlier one. When lots that it is the date of are not loaded, how
   * many expire at the new one could not be told.
   * @returns whether the date is another now
   */
  moveInactiveOn(policyId: ObjectId, date: Date): boolean {
    const held = this.heldOf(policyId);
    const { purse } = held;
    if (purse.inactiveOn && purse.inactiveOn >= date) return false;
    assert(
      this.lots.isLoaded || !expiresInactive(this.duesNotLoaded(policyId)),
      'lots are loaded where they get a date',
    );
    Object.assign(held, { purse: { ...purse, inactiveOn: date, updatedAt: this.now }, isStale: true });
    return true;
  }

  /** Gives a purse terms to count its inactivity by, where it has none. */
  adoptInactivity(policyId: ObjectId, inactivity: InactivityTerms | undefined): void {
    const held = this.heldOf(policyId);
    if (inactivity && !held.purse.inactivity) held.purse = { ...held.purse, inactivity };
  }

  changes(): LedgerChanges {
    const purses = this.purses();
    return {
      inserted: this.lots.inserted(),
      updated: this.lots.updated(),
      entries: [...this.posted],
      purses,
      seq: this.input.seq + this.posted.length,
      nextDue: earliestDue(purses),
    };
  }

  private duesOf({ policyId, inactiveOn }: Purse): Dues {
    return duesOf(this.lots.queuesOf(policyId), inactiveOn, this.duesNotLoaded(policyId));
  }

  /** Lots that were not loaded do not change, so what is due of them is what the purse says as stored. */
  private duesNotLoaded(policyId: ObjectId): Partial<Purse> {
    const stored = !this.lots.isLoaded && this.input.purses.find((purse) => purse.policyId.equals(policyId));
    return stored || {};
  }

  private heldOf(policyId: ObjectId): LedgerPurse {
    const held = this.held.find(({ purse }) => purse.policyId.equals(policyId));
    assert(held, 'a member has a purse of every policy of its program');
    return held;
  }

  private fresh(held: LedgerPurse): Purse {
    if (!held.isStale) return held.purse;
    const purse = { ...withoutDues(held.purse), ...this.duesOf(held.purse) };
    Object.assign(held, { purse, isStale: false });
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
