import assert from 'node:assert';
import type { ObjectId } from 'bson';
import { accrue } from '#engine/points/ledger/accrue';
import { type Burned, burn } from '#engine/points/ledger/burn';
import { extendInactivity } from '#engine/points/ledger/expiry';
import { type Ledger, type LedgerChanges, openLedger } from '#engine/points/ledger/ledger';
import type { LedgerPolicy } from '#engine/points/ledger/ledgerPolicy';
import { mergeLedgers } from '#engine/points/ledger/mergeLedgers';
import { proportion } from '#engine/points/ledger/proportion';
import { expiresInactive } from '#engine/points/ledger/purses';
import {
  type LedgerReturned as Given,
  type PointsEffects,
  returnToLedgers,
} from '#engine/points/ledger/returnToLedgers';
import { settle } from '#engine/points/ledger/settle';
import { transferIn, transferOut } from '#engine/points/ledger/transfer';
import type { MemberLedger } from '#members/reconcile/checkInvariants';
import type { ExpiryTerms } from '#records/points/expiry/expiryTerms';
import type { JournalEntry } from '#records/points/journalEntry';
import type { Lot } from '#records/points/lot';
import type { Purse } from '#records/points/purse';
import type { EscrowTerms } from '#records/points/terms';
import { member, minute, someId } from './builders';

/** An award to a purse or a redemption from it, in a test activity. */
export interface Step {
  purse: ObjectId;
  earn?: number;
  spend?: number;
  escrow?: EscrowTerms;
  expiry?: ExpiryTerms;
}

/** An activity with the fields that its history stores. */
export interface Activity {
  id: ObjectId;
  effects: PointsEffects;
  /** Its effects in the ledger of another member. */
  elsewhere?: { member: StoredMember; effects: PointsEffects };
}

type GivenBack = Given<
  PointsEffects['accrued'][number],
  PointsEffects['burned'][number],
  PointsEffects['debts'][number]
>;

/** Points that move from one purse to another. Without a receiver they move to the member's own purse. */
export interface Transfer {
  from: ObjectId;
  to: ObjectId;
  points: number;
  receiver?: StoredMember;
}

/** The lots of the member that a commit reads. */
export type LotsRead = 'live' | 'none' | { alsoOf: PointsEffects };

/** A member as the database stores it. Each change is one commit, as in the pipeline. */
export class StoredMember {
  purses: readonly Purse[] = [];
  readonly lots = new Map<string, Lot>();
  readonly entries: JournalEntry[] = [];
  seq = 0;
  nextDue: Date | undefined;
  now = minute(0);
  /** Members that were merged into this one. */
  readonly merged: StoredMember[] = [];
  mergedInto: ObjectId | undefined;
  private takenOverBy: StoredMember | undefined;

  constructor(
    readonly policies: readonly LedgerPolicy[],
    readonly timezone = 'UTC',
    readonly owner = member,
    /** Makes the ids of its activities. */
    readonly nextId: () => ObjectId = someId,
  ) {}

  /** All records that a reconciliation reads. */
  stored(): MemberLedger {
    const { seq, nextDue, mergedInto } = this;
    return {
      member: { _id: this.owner._id, seq, nextDue, mergeIds: this.merged.map(({ owner }) => owner._id), mergedInto },
      purses: this.purses,
      lots: [...this.lots.values()],
      entries: this.entries,
      inherited: this.merged.map(({ entries }) => entries),
    };
  }

  purse(policyId: ObjectId): Purse {
    const purse = this.purses.find((one) => one.policyId.equals(policyId));
    assert(purse);
    return purse;
  }

  lot(id: ObjectId): Lot {
    const lot = this.lots.get(id.toHexString());
    assert(lot);
    return lot;
  }

  /** Runs `work` on a fork of the ledger and stores the result. */
  commit<T>(work: (ledger: Ledger) => T, read: LotsRead = 'live'): T {
    const ledger = this.open(read).fork();
    const result = work(ledger);
    this.store(ledger.changes());
    return result;
  }

  open(read: LotsRead = 'live'): Ledger {
    const { owner: member, policies, purses, seq, timezone, now } = this;
    const lots = read === 'none' ? {} : { lots: this.lotsRead(read) };
    return openLedger({ member, purses, seq, policies, timezone, now, ...lots });
  }

  /** Lets time pass and settles the member, as the timer does. */
  passTo(now: Date): ReturnType<typeof settle> {
    this.now = now;
    return this.commit((ledger) => settle(ledger));
  }

  /**
   * Posts an activity.
   * @param counts whether the activity counts against inactivity
   * @returns undefined when a redemption is refused; then nothing is stored
   */
  post(steps: readonly Step[], date: Date = this.now, read: LotsRead = 'live', counts = false): Activity | undefined {
    const id = this.nextId();
    const mustRead = counts && this.purses.some(expiresInactive);
    const ledger = this.open(mustRead ? 'live' : read).fork();
    if (ledger.lots.isLoaded) settle(ledger);
    if (counts) extendInactivity(ledger, date);
    const effects: PointsEffects = { accrued: [], burned: [], debts: [] };
    for (const [n, step] of steps.entries()) {
      if (step.earn) earn(ledger, effects, { ...step, earn: step.earn, id, n, date });
      if (step.spend && spend(ledger, effects, { ...step, spend: step.spend, id }).isRefused) return undefined;
    }
    this.store(ledger.changes());
    return { id, effects };
  }

  /**
   * Returns a share of an activity's value; by default all of it.
   * @returns the result in the ledger of this member
   */
  giveBack(activity: Activity, share = { returned: 1, of: 1 }): GivenBack {
    const { elsewhere } = activity;
    const other = elsewhere?.member.survivor();
    const isOwn = other === this;
    const own = isOwn && elsewhere ? joined(activity.effects, elsewhere.effects) : activity.effects;
    const holders: { member: StoredMember; effects: PointsEffects }[] = [{ member: this, effects: own }];
    if (other && elsewhere && !isOwn) holders.push({ member: other, effects: elsewhere.effects });
    const holdings = holders.map(({ member, effects }) => {
      const ledger = member.open({ alsoOf: effects }).fork();
      settle(ledger);
      return { ledger, effects };
    });
    const input = returnToLedgers({
      holdings,
      totalOf: ({ points }) => proportion(points, share),
      activity: this.nextId(),
    });
    for (const [index, { member }] of holders.entries()) {
      const { ledger } = holdings[index] ?? {};
      assert(ledger);
      member.store(ledger.changes());
    }
    const [first, second] = input;
    assert(first);
    if (elsewhere && second) elsewhere.effects = second.effects;
    if (elsewhere && isOwn) [activity.effects, elsewhere.effects] = parted(first.effects, activity.effects);
    else activity.effects = first.effects;
    return first;
  }

  /**
   * Moves points from purses of this member to its own purses or to those of one other member. All transfers are one
   * activity.
   * @returns undefined when there are not enough points; then nothing is stored
   */
  transfer(...transfers: Transfer[]): Activity | undefined {
    const ledger = this.open().fork();
    settle(ledger);
    const other = transfers.find(({ receiver = this }) => receiver !== this)?.receiver;
    const theirs = other?.open().fork();
    if (theirs) settle(theirs);
    const id = this.nextId();
    const [own, come] = [noEffects(), noEffects()];
    for (const { from, to, points, receiver = this } of transfers) {
      const left = transferOut(ledger, { purse: from, points, origin: { activity: id } });
      if (left.isRefused) return undefined;
      const into = receiver === this ? { ledger, effects: own } : { ledger: theirs, effects: come };
      assert(into.ledger && (receiver === this || receiver === other), 'one other member receives');
      for (const part of left.lots) {
        const _id = this.nextId();
        transferIn(into.ledger, { ...part, _id, purse: to, from: part.lot, origin: { activity: id } });
        own.burned.push({ lot: part.lot._id, purse: from, points: part.points, restored: 0, movedTo: _id });
        into.effects.accrued.push({ lot: _id, purse: to, points: part.points, returned: 0, charged: 0, moved: true });
      }
    }
    this.store(ledger.changes());
    if (!other || !theirs) return { id, effects: own };
    other.store(theirs.changes());
    return { id, effects: own, elsewhere: { member: other, effects: come } };
  }

  /** The survivor of all merges of this member; the member itself when it was not merged. */
  survivor(): StoredMember {
    return this.takenOverBy?.survivor() ?? this;
  }

  /** Takes over all lots and debt of another member, as a merge does. */
  absorb(other: StoredMember): void {
    const [to, from] = [this.open().fork(), other.open().fork()];
    for (const ledger of [to, from]) settle(ledger);
    const { survivor, merged } = mergeLedgers(to, [from]);
    for (const changes of merged) other.store(changes);
    for (const [id, lot] of other.lots) this.lots.set(id, lot);
    other.lots.clear();
    other.mergedInto = this.owner._id;
    other.takenOverBy = this;
    this.merged.push(other, ...other.merged);
    this.store(survivor);
  }

  /** The lots that the pipeline reads: lots with points, lots that an activity touched, and lots that repaid debt. */
  private lotsRead(read: LotsRead): Lot[] {
    const effects = typeof read === 'object' ? read.alsoOf : undefined;
    const named = new Set(
      [...(effects?.accrued ?? []), ...(effects?.burned ?? [])].map(({ lot }) => lot.toHexString()),
    );
    const withRepaid = [...(effects?.debts ?? []), ...(effects?.burned ?? [])].length > 0;
    return [...this.lots.values()].filter(
      (lot) =>
        lot.state === 'escrow' ||
        lot.state === 'available' ||
        named.has(lot._id.toHexString()) ||
        (withRepaid && lot.repaidPoints > 0),
    );
  }

  private store({ inserted, updated, entries, purses, seq, nextDue }: LedgerChanges): void {
    for (const lot of inserted) assert(!this.lots.has(lot._id.toHexString()), 'an inserted lot is new');
    for (const lot of updated) assert(this.lots.has(lot._id.toHexString()), 'an updated lot exists');
    for (const lot of [...inserted, ...updated]) this.lots.set(lot._id.toHexString(), lot);
    this.entries.push(...entries.map((entry) => ({ _id: someId(), ...entry })));
    Object.assign(this, { purses, seq, nextDue });
  }
}

function noEffects(): PointsEffects {
  return { accrued: [], burned: [], debts: [] };
}

function joined(own: PointsEffects, other: PointsEffects): PointsEffects {
  return {
    accrued: [...own.accrued, ...other.accrued],
    burned: [...own.burned, ...other.burned],
    debts: [...own.debts, ...other.debts],
  };
}

/** Splits joined effects into the two parts that were joined. */
function parted({ accrued, burned, debts }: PointsEffects, own: PointsEffects): [PointsEffects, PointsEffects] {
  const [a, b, d] = [own.accrued.length, own.burned.length, own.debts.length];
  return [
    { accrued: accrued.slice(0, a), burned: burned.slice(0, b), debts: debts.slice(0, d) },
    { accrued: accrued.slice(a), burned: burned.slice(b), debts: debts.slice(d) },
  ];
}

function earn(
  ledger: Ledger,
  effects: PointsEffects,
  { purse, earn: amount, id, n, date, escrow, expiry }: Step & { earn: number; id: ObjectId; n: number; date: Date },
): void {
  const terms = { ...(escrow ? { escrow } : {}), ...(expiry ? { expiry } : {}) };
  const lot = accrue(ledger, { purse, points: amount, date, origin: { activity: id }, n, ...terms });
  effects.accrued.push({ lot: lot._id, purse, points: amount, returned: 0, charged: 0 });
}

function spend(
  ledger: Ledger,
  effects: PointsEffects,
  { purse, spend: amount, id }: Step & { spend: number; id: ObjectId },
): Burned {
  const burned = burn(ledger, { purse, points: amount, origin: { activity: id } });
  if (burned.isRefused) return burned;
  effects.burned.push(...burned.lots.map(({ lot, points }) => ({ lot, purse, points, restored: 0 })));
  if (burned.debt > 0) effects.debts.push({ purse, points: burned.debt, restored: 0 });
  return burned;
}
