import type { ObjectId } from 'bson';
import { owedPoints } from '../lots/lotParts';
import type { Ledger } from './ledger';
import type { ReturnLogLine } from './returnLogLine';
import { ReturnPostings } from './returnPostings';
import type { Settled } from './settle';

/**
 * Points of a lot that an activity awarded. `returned`: how many were reversed. `charged`: those of them burned before.
 */
export interface AccruedEffect {
  lot: ObjectId;
  purse: ObjectId;
  points: number;
  returned: number;
  charged: number;
  /** They came from another purse by a transfer. They return there even if the policy is `pendingOnly`. */
  moved?: boolean;
}

/** Points of a lot that an activity burned, and how many were restored. */
export interface BurnedEffect {
  lot: ObjectId;
  purse: ObjectId;
  points: number;
  restored: number;
  /** The lot as which they arrived in another purse. Only points that can be reversed there are restored here. */
  movedTo?: ObjectId;
}

/** Debt that an activity made in a purse, and how much of it was undone. */
export interface DebtEffect {
  purse: ObjectId;
  points: number;
  restored: number;
}

/** What an activity did to a ledger, as far as it can be returned. */
export interface PointsEffects<A = AccruedEffect, B = BurnedEffect, D = DebtEffect> {
  accrued: A[];
  burned: B[];
  debts: D[];
}

/** A member's ledger and what an activity did to it. */
export interface LedgerEffects<A extends AccruedEffect, B extends BurnedEffect, D extends DebtEffect> {
  ledger: Ledger;
  effects: PointsEffects<A, B, D>;
}

/** Which effects a cancellation returns, and how much of each. */
export interface LedgerReturnInput<A extends AccruedEffect, B extends BurnedEffect, D extends DebtEffect> {
  /** One for each member. The ledgers must be settled. */
  holdings: readonly LedgerEffects<A, B, D>[];
  /** How many of an effect's points are returned after this cancellation, including earlier cancellations. */
  totalOf(effect: A | B | D): number;
  /** The lot as which the points of an effect arrived in another purse; default: its `movedTo`. */
  arrivalOf?(effect: B): ObjectId | undefined;
  activity: ObjectId;
}

/** What was returned in one ledger: its effects after the return, the log lines, and the points that expired by it. */
export interface LedgerReturned<A, B, D> {
  effects: PointsEffects<A, B, D>;
  lines: ReturnLogLine[];
  expired: Settled['expired'];
}

/**
 * Returns a part of what an activity did (docs/design/cancel.md). All lots that its effects name must be loaded. In
 * purses where it burned points or made debt, the lots that repaid debt must be loaded too. The order of the steps:
 * 1. Restore burned points. An activity may have burned points of a lot that it awarded itself; they must be back in
 *    the lot before the award is reversed.
 * 2. Reverse transfers, the last one first, then awards.
 * 3. Expire points that are past their date, and repay debt from available points.
 * 4. Charge the burned points of transfers and awards. This is last, so that no lot is charged that is itself about
 *    to be reversed or that has expired.
 * @returns what was returned, one for each holding
 */
export function returnToLedgers<A extends AccruedEffect, B extends BurnedEffect, D extends DebtEffect>({
  holdings,
  totalOf,
  arrivalOf = ({ movedTo }) => movedTo,
  activity,
}: LedgerReturnInput<A, B, D>): LedgerReturned<A, B, D>[] {
  const returns = holdings.map(({ ledger, effects }) => new LedgerReturn(ledger, effects, totalOf, activity));
  const awarded = new Map(
    returns.flatMap(({ reversals }) => reversals.map((one) => [one.effect.lot.toHexString(), one])),
  );
  const reversalOf = (lot: ObjectId | undefined) => lot && awarded.get(lot.toHexString());
  for (const each of returns) each.restoreBurned(reversalOf, arrivalOf);
  const all = returns.flatMap(({ reversals }) => reversals);
  const transfers = all.filter(({ isTransfer }) => isTransfer).reverse();
  const awards = all.filter(({ isTransfer }) => !isTransfer);
  for (const one of [...transfers, ...awards]) one.take();
  for (const each of returns) each.settle();
  for (const one of transfers) one.finish();
  if (transfers.length > 0) for (const each of returns) each.settle();
  for (const one of awards) one.finish();
  return returns.map((each) => each.result());
}

/** The return in the ledger of one member. */
class LedgerReturn<A extends AccruedEffect, B extends BurnedEffect, D extends DebtEffect> {
  readonly reversals: AwardReversal<A>[];
  private readonly back: ReturnPostings;
  private burned: (() => B)[] = [];

  constructor(
    ledger: Ledger,
    private readonly effects: PointsEffects<A, B, D>,
    private readonly totalOf: (effect: A | B | D) => number,
    activity: ObjectId,
  ) {
    this.back = new ReturnPostings(ledger, { activity });
    this.reversals = effects.accrued.map((effect) => new AwardReversal(this.back, effect, totalOf(effect)));
  }

  /** Restores burned points and undoes debt. Transferred points wait until they are reversed in the other purse. */
  restoreBurned(
    reversalOf: (lot: ObjectId | undefined) => AwardReversal<A> | undefined,
    arrivalOf: (effect: B) => ObjectId | undefined,
  ): void {
    const { back, effects, totalOf } = this;
    this.burned = effects.burned.map((effect) => {
      const arrival = reversalOf(arrivalOf(effect));
      if (arrival) {
        arrival.fromTransfer(back, effect.lot, reversalOf(effect.lot));
        return () => ({ ...effect, restored: effect.restored + arrival.points });
      }
      const restored = Math.max(effect.restored, totalOf(effect));
      back.restore(effect.lot, restored - effect.restored);
      return () => ({ ...effect, restored });
    });
    for (const effect of effects.debts) back.undoDebt(effect.purse, totalOf(effect) - effect.restored);
  }

  settle(): void {
    this.back.settle();
  }

  result(): LedgerReturned<A, B, D> {
    const { reversals, burned, effects, back, totalOf } = this;
    const accrued = reversals.map((one) => one.result());
    const debts = effects.debts.map((effect) => ({
      ...effect,
      restored: Math.max(effect.restored, totalOf(effect)),
    }));
    return {
      effects: { accrued, burned: burned.map((after) => after()), debts },
      lines: back.lines,
      expired: back.expired,
    };
  }
}

/** The reversal of one award. If the points came from another purse by a transfer, they return to it. */
class AwardReversal<A extends AccruedEffect> {
  /** How many points this cancellation reverses. */
  readonly points: number;
  /** How many of `points` are not reversed yet. */
  private missing: number;
  private charged = 0;
  private source: { back: ReturnPostings; lot: ObjectId; awarded: AwardReversal<A> | undefined } | undefined;

  constructor(
    private readonly back: ReturnPostings,
    readonly effect: A,
    total: number,
  ) {
    this.points = Math.max(0, total - effect.returned);
    this.missing = this.points;
  }

  /** The points return to this lot. `awarded` is set when the same activity awarded that lot. */
  fromTransfer(back: ReturnPostings, lot: ObjectId, awarded: AwardReversal<A> | undefined): void {
    this.source = { back, lot, awarded };
  }

  get isTransfer(): boolean {
    return this.source !== undefined;
  }

  /** Reverses the points that are in the lot: escrowed points first, then available points. */
  take(): void {
    const fromEscrowOnly = this.isPendingOnly && !this.effect.moved;
    const points = this.missing > 0 ? this.back.reverse(this.effect.lot, this.missing, { fromEscrowOnly }) : 0;
    this.missing -= points;
    this.returnToSource(points);
  }

  /**
   * Reverses the points that were restored meanwhile. Then charges the burned points, except those that the member may
   * keep. Expired points are not charged, because the member could not use them. Of a transfer only reversed or charged
   * points return to the source; the rest is written off, so that no points are created.
   */
  finish(): void {
    if (this.missing === 0) return;
    this.reverseArrivals();
    const { lot, purse } = this.effect;
    const shortfall = this.isPendingOnly ? 0 : Math.min(this.missing, this.shortfall());
    this.back.note(this.isPendingOnly ? 'kept' : 'alreadyGone', purse, this.missing - shortfall, lot);
    const stoodFor = this.back.charge(lot, shortfall);
    this.charged += shortfall;
    this.returnToSource(stoodFor);
    this.source?.back.writeOff(this.source.lot, this.missing - stoodFor);
  }

  /**
   * Points returned to the source can undo a charge. That refills the lots that repaid the charge, maybe this one too.
   */
  private reverseArrivals(): void {
    let before: number;
    do {
      before = this.missing;
      this.take();
    } while (this.missing > 0 && this.missing < before);
  }

  result(): A {
    const { effect, points, charged } = this;
    return { ...effect, returned: effect.returned + points, charged: effect.charged + charged };
  }

  /**
   * Restores points to the lot that they came from. If that lot is reversed as well, its points are reversed at once.
   */
  private returnToSource(points: number): void {
    if (points <= 0 || !this.source) return;
    this.source.back.restore(this.source.lot, points);
    this.source.awarded?.take();
  }

  /**
   * How many burned points exceed what the member may keep and what was charged or forgiven before. What was added to the
   * lot by hand is no part of the award, so the member may keep it.
   */
  private shortfall(): number {
    const { lot: id, returned, charged } = this.effect;
    const lot = this.back.loaded(id);
    const mayKeep = lot.accruedPoints - returned - this.points;
    // Older lots do not store `chargedPoints` and `forgivenPoints`; then only the effect has the charge.
    const isKept = lot.chargedPoints !== undefined || lot.forgivenPoints !== undefined;
    return Math.max(0, lot.burnedPoints - (isKept ? owedPoints(lot) : charged) - mayKeep);
  }

  private get isPendingOnly(): boolean {
    return this.back.ledger.policy(this.effect.purse).clawback === 'pendingOnly';
  }
}
