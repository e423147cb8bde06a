import type { ObjectId } from 'bson';
import type { Ledger } from './ledger';
import type { Lot } from './lot';
import { proportion, type Share } from './proportion';
import { type Settled, settle } from './settle';

/** Points of a lot that an activity awarded: how many were taken back, and how many of those had been burned. */
export interface AccruedEffect {
  lot: ObjectId;
  purse: ObjectId;
  points: number;
  returned: number;
  charged: number;
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

/** One thing that giving back did, for the log. */
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
 * Gives back a share of what an activity did (DESIGN 7, Cancel). What it burned is restored first: an activity may have
 * burned of the very lot that it awarded, and those points must be back before the award is reversed. At the end what
 * is past its date expires and what is available repays debt.
 */
export function giveBack<A extends AccruedEffect, B extends BurnedEffect, D extends DebtEffect>(
  ledger: Ledger,
  { effects, share, activity }: GiveBackInput<A, B, D>,
): { effects: PointsEffects<A, B, D>; lines: GiveBackLine[]; settled: Settled } {
  const work = new GiveBack(ledger, activity);
  const burned = effects.burned.map((effect) => work.restoreLot(effect, proportion(effect.points, share)));
  const debts = effects.debts.map((effect) => work.restoreDebt(effect, proportion(effect.points, share)));
  const accrued = effects.accrued.map((effect) => work.reverseLot(effect, proportion(effect.points, share)));
  return { effects: { accrued, burned, debts }, lines: work.lines, settled: settle(ledger) };
}

class GiveBack {
  readonly lines: GiveBackLine[] = [];

  constructor(
    private readonly ledger: Ledger,
    private readonly activity: ObjectId,
  ) {}

  restoreLot<B extends BurnedEffect>(effect: B, restored: number): B {
    const lot = this.ledger.lot(effect.lot);
    const points = Math.min(restored - effect.restored, lot?.burnedPoints ?? 0);
    if (!lot || points <= 0) return effect;
    this.post(lot, 'restore', { burnedPoints: -points, availablePoints: points });
    this.note('restored', effect.purse, points, lot);
    return { ...effect, restored };
  }

  /** The debt itself is lowered first; what was repaid of it is restored to the lots that repaid, the latest first. */
  restoreDebt<D extends DebtEffect>(effect: D, restored: number): D {
    let left = restored - effect.restored;
    const lowered = Math.min(left, this.ledger.purse(effect.purse).debt);
    if (lowered > 0) {
      this.ledger.post({ purse: effect.purse, kind: 'restore', debt: -lowered, origin: { activity: this.activity } });
      this.note('debtLowered', effect.purse, lowered);
      left -= lowered;
    }
    const repaid = this.ledger.lots.matching(({ repaidPoints }) => repaidPoints > 0, effect.purse);
    for (const lot of repaid.sort((a, b) => (b.repaidSeq ?? 0) - (a.repaidSeq ?? 0))) {
      const points = Math.min(left, lot.repaidPoints);
      if (points <= 0) break;
      this.post(lot, 'restore', { burnedPoints: -points, repaidPoints: -points, availablePoints: points });
      this.note('restored', effect.purse, points, lot);
      left -= points;
    }
    return { ...effect, restored };
  }

  /** Escrow first, then available points; what was burned of it is charged as the policy's clawback says. */
  reverseLot<A extends AccruedEffect>(effect: A, returned: number): A {
    const lot = this.ledger.lot(effect.lot);
    const points = returned - effect.returned;
    if (!lot || points <= 0) return effect;
    const { clawback } = this.ledger.policy(effect.purse);
    const escrowed = Math.min(points, lot.escrowedPoints);
    const available = clawback === 'pendingOnly' ? 0 : Math.min(points - escrowed, lot.availablePoints);
    if (escrowed + available > 0) {
      const reversedPoints = escrowed + available;
      this.post(lot, 'reverse', { escrowedPoints: -escrowed, availablePoints: -available, reversedPoints });
      this.note('reversed', effect.purse, reversedPoints, lot);
    }
    const missing = points - escrowed - available;
    if (clawback === 'pendingOnly') {
      this.note('kept', effect.purse, missing, lot);
      return { ...effect, returned };
    }
    const charged = Math.min(missing, lot.burnedPoints - effect.charged);
    // Expired points are gone: the member has not had the use of them, so they are not charged.
    this.note('alreadyGone', effect.purse, missing - charged, lot);
    this.charge(effect.purse, charged, clawback, lot);
    return { ...effect, returned, charged: effect.charged + charged };
  }

  private charge(purse: ObjectId, points: number, clawback: 'full' | 'toZero', lot: Lot): void {
    if (points === 0) return;
    if (clawback === 'full') {
      this.ledger.post({ purse, kind: 'reverse', debt: points, origin: { activity: this.activity } });
      this.note('becameDebt', purse, points, lot);
      return;
    }
    let left = points;
    for (const other of [...this.ledger.lots.available(purse)]) {
      const part = Math.min(left, other.availablePoints);
      if (part === 0) break;
      this.post(other, 'reverse', { availablePoints: -part, reversedPoints: part });
      this.note('takenFromOthers', purse, part, other);
      left -= part;
    }
    this.note('forgiven', purse, left, lot);
  }

  private post(lot: Lot, kind: 'restore' | 'reverse', parts: Parameters<Ledger['post']>[0]['parts'] & object): void {
    this.ledger.post({ purse: lot.purse, kind, lot, parts, origin: { activity: this.activity } });
  }

  private note(did: GiveBackLine['did'], purse: ObjectId, points: number, lot?: Lot): void {
    if (points <= 0) return;
    const { name } = this.ledger.purse(purse);
    this.lines.push({ did, purse: name, points, ...(lot ? { accrualItem: lot._id } : {}) });
  }
}
