import assert from 'node:assert';
import type { ObjectId } from 'bson';
import type { Ledger, Origin } from './ledger';
import type { Lot } from './lot';
import type { PartChange } from './lotParts';
import { proportion, type Share } from './proportion';
import { repayDebt } from './repayDebt';
import { type Settled, settle } from './settle';

/** Points of a lot that an activity awarded: how many were taken back, and how many of those had been burned. */
export interface AccruedEffect {
  lot: ObjectId;
  purse: ObjectId;
  points: number;
  returned: number;
  charged: number;
  /** They came from another purse, to which they go back: also where the policy reverses pending points only. */
  moved?: boolean;
}

/** Points of a lot that an activity burned, and how many were restored. */
export interface BurnedEffect {
  lot: ObjectId;
  purse: ObjectId;
  points: number;
  restored: number;
}

/** Debt that an activity made in a purse, and how much of it was given back. */
export interface DebtEffect {
  purse: ObjectId;
  points: number;
  restored: number;
}

/** What an activity did to a ledger, as far as it can be given back. */
export interface PointsEffects<A = AccruedEffect, B = BurnedEffect, D = DebtEffect> {
  accrued: A[];
  burned: B[];
  debts: D[];
}

/**
 * One thing that giving back did, for the log. `kept`: released before and left; `alreadyGone`: expired or taken by hand
 * before; `forgiven`: burned before, and nothing else could stand for it.
 */
export interface GiveBackLine {
  did: 'restored' | 'debtLowered' | 'reversed' | 'becameDebt' | 'takenFromOthers' | 'forgiven' | 'kept' | 'alreadyGone';
  purse: string;
  points: number;
  accrualItem?: ObjectId;
}

/** How much of which effects is given back, and by which cancellation. */
export interface GiveBackInput<A extends AccruedEffect, B extends BurnedEffect, D extends DebtEffect> {
  effects: PointsEffects<A, B, D>;
  share: Share;
  activity: ObjectId;
}

/**
 * Gives back a share of what an activity did (DESIGN 7, Cancel). All lots that its effects name must be loaded, and
 * those that repaid debt when it made any. What it burned is restored first: an activity may have burned of the very lot
 * that it awarded, and those points must be back before the award is reversed. Then what is past its date expires and
 * what is available repays debt. What had been burned of the awards is charged last: by then no lot can stand for it
 * that is itself about to be reversed, or that has expired.
 */
export function giveBack<A extends AccruedEffect, B extends BurnedEffect, D extends DebtEffect>(
  ledger: Ledger,
  { effects, share, activity }: GiveBackInput<A, B, D>,
): { effects: PointsEffects<A, B, D>; lines: GiveBackLine[]; settled: Settled } {
  const work = new GiveBack(ledger, { activity });
  const burned = effects.burned.map((effect) => work.restoreLot(effect, proportion(effect.points, share)));
  const debts = effects.debts.map((effect) => work.restoreDebt(effect, proportion(effect.points, share)));
  const accrued = effects.accrued.map((effect) => work.reverseLot(effect, proportion(effect.points, share)));
  const settled = settle(ledger, { activity });
  work.chargeShortfalls();
  return { effects: { accrued, burned, debts }, lines: work.lines, settled };
}

class GiveBack {
  readonly lines: GiveBackLine[] = [];
  private readonly shortfalls: { lot: Lot; points: number }[] = [];

  constructor(
    private readonly ledger: Ledger,
    private readonly origin: Origin,
  ) {}

  restoreLot<B extends BurnedEffect>(effect: B, restored: number): B {
    const points = restored - effect.restored;
    if (points <= 0) return effect;
    this.restore(this.loaded(effect.lot), { burnedPoints: -points, availablePoints: points });
    return { ...effect, restored };
  }

  /**
   * The debt itself is lowered first; what was repaid of it is restored to the lots that repaid, the latest first. Debts
   * of a purse are one sum: it does not matter who made which part of it.
   */
  restoreDebt<D extends DebtEffect>(effect: D, restored: number): D {
    const { purse } = effect;
    let left = restored - effect.restored;
    if (left <= 0) return effect;
    const lowered = Math.min(left, this.ledger.purse(purse).debt);
    if (lowered > 0) this.ledger.post({ purse, kind: 'restore', debt: -lowered, origin: this.origin });
    this.note('debtLowered', purse, lowered);
    left -= lowered;
    for (const lot of left > 0 ? this.repaidLots(purse) : []) {
      const points = Math.min(left, lot.repaidPoints);
      if (points === 0) break;
      this.restore(lot, { burnedPoints: -points, repaidPoints: -points, availablePoints: points });
      left -= points;
    }
    this.note('alreadyGone', purse, left);
    return { ...effect, restored };
  }

  /**
   * Escrow first, then available points. The rest is a shortfall as far as more was burned than the member may keep;
   * expired points are none: the member has not had the use of them.
   */
  reverseLot<A extends AccruedEffect>(effect: A, returned: number): A {
    const points = returned - effect.returned;
    if (points <= 0) return effect;
    const lot = this.loaded(effect.lot);
    const isPendingOnly = this.ledger.policy(effect.purse).clawback === 'pendingOnly';
    const missing = points - this.reverse(lot, points, isPendingOnly && !effect.moved);
    if (isPendingOnly) {
      this.note('kept', effect.purse, missing, lot);
      return { ...effect, returned };
    }
    const mayKeep = effect.points - returned;
    const shortfall = Math.min(missing, Math.max(0, lot.burnedPoints - effect.charged - mayKeep));
    if (shortfall > 0) this.shortfalls.push({ lot, points: shortfall });
    this.note('alreadyGone', effect.purse, missing - shortfall, lot);
    return { ...effect, returned, charged: effect.charged + shortfall };
  }

  /**
   * Shortfalls become debt, which the purse's other available lots repay at once in burn order. With `toZero` only as
   * much becomes debt as they can repay, so the balance stays at zero or above; the rest is forgiven.
   */
  chargeShortfalls(): void {
    for (const { lot, points } of this.shortfalls) {
      const { purse } = lot;
      const isForgiving = this.ledger.policy(purse).clawback === 'toZero';
      const charged = isForgiving ? Math.min(points, Math.max(0, this.ledger.purse(purse).availBalance)) : points;
      if (charged > 0) this.ledger.post({ purse, kind: 'reverse', debt: charged, origin: this.origin });
      const taken = repayDebt(this.ledger, purse, this.origin);
      for (const other of taken) this.note('takenFromOthers', purse, other.points, this.loaded(other.lot));
      const repaid = taken.reduce((total, other) => total + other.points, 0);
      this.note('becameDebt', purse, charged - repaid, lot);
      this.note('forgiven', purse, points - charged, lot);
    }
  }

  /** Reverses up to so many points; how many it were. */
  private reverse(lot: Lot, points: number, isPendingOnly: boolean): number {
    const escrowed = Math.min(points, lot.escrowedPoints);
    const available = isPendingOnly ? 0 : Math.min(points - escrowed, lot.availablePoints);
    const reversedPoints = escrowed + available;
    if (reversedPoints === 0) return 0;
    this.post(lot, 'reverse', { escrowedPoints: -escrowed, availablePoints: -available, reversedPoints });
    this.note('reversed', lot.purse, reversedPoints, lot);
    return reversedPoints;
  }

  private repaidLots(purse: ObjectId): Lot[] {
    const lots = this.ledger.lots.matching(({ repaidPoints }) => repaidPoints > 0, purse);
    return lots.sort((a, b) => (b.repaidSeq ?? 0) - (a.repaidSeq ?? 0));
  }

  private restore(lot: Lot, parts: PartChange & { availablePoints: number }): void {
    this.post(lot, 'restore', parts);
    this.note('restored', lot.purse, parts.availablePoints, lot);
  }

  private post(lot: Lot, kind: 'restore' | 'reverse', parts: PartChange): void {
    this.ledger.post({ purse: lot.purse, kind, lot, parts, origin: this.origin });
  }

  private loaded(id: ObjectId): Lot {
    const lot = this.ledger.lot(id);
    assert(lot, 'lots that are given back are loaded');
    return lot;
  }

  private note(did: GiveBackLine['did'], purse: ObjectId, points: number, lot?: Lot): void {
    if (points <= 0) return;
    const { name } = this.ledger.purse(purse);
    this.lines.push({ did, purse: name, points, ...(lot ? { accrualItem: lot._id } : {}) });
  }
}
