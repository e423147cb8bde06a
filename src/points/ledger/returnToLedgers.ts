import type { ObjectId } from 'bson';
import { owedPoints } from '../lots/lotParts';
import type { Ledger } from './ledger';
import type { ReturnLogLine } from './returnLogLine';
import { ReturnPostings } from './returnPostings';
import type { Settled } from './settle';

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
  /** The lot as which they arrived in another purse: only what can be taken back there comes back here. */
  movedTo?: ObjectId;
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

/** A member's ledger and what an activity did to it. */
export interface LedgerEffects<A extends AccruedEffect, B extends BurnedEffect, D extends DebtEffect> {
  ledger: Ledger;
  effects: PointsEffects<A, B, D>;
}

/** How much of which effects is given back, and by which cancellation. */
export interface LedgerReturnInput<A extends AccruedEffect, B extends BurnedEffect, D extends DebtEffect> {
  /** One for each member, whose ledgers are settled. */
  holdings: readonly LedgerEffects<A, B, D>[];
  /** Of an effect's points, how many are given back once this is done, what was given back before included. */
  totalOf(effect: A | B | D): number;
  /** The lot as which the points of an effect arrived in another purse; by default its `movedTo`. */
  arrivalOf?(effect: B): ObjectId | undefined;
  activity: ObjectId;
}

/** What was given back in one ledger: its effects as they stand now, what is told about it, and what expired by it. */
export interface LedgerReturned<A, B, D> {
  effects: PointsEffects<A, B, D>;
  lines: ReturnLogLine[];
  expired: Settled['expired'];
}

/**
 * Gives back a part of what an activity did (docs/design/cancel.md). All lots that its effects name must be loaded, and
 * those that repaid debt in purses where it burned points or made debt. What it burned is restored first: an activity
 * may have burned of the very lot that it awarded, and those points must be back before the award is reversed. Then
 * transfers go back, the last first, then awards. Then what is past its date expires and what is available repays debt.
 * What had been burned of transfers and awards is charged last: by then no lot can stand for it that is itself about to
 * be reversed, or that has expired.
 * @returns for each holding what was given back in it
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

/** What one member's ledger gets and gives. */
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

  /** Restores what was burned, and undoes debt; what was transferred waits for what can be taken where it arrived. */
  restoreBurned(
    takenOf: (lot: ObjectId | undefined) => AwardReversal<A> | undefined,
    arrivalOf: (effect: B) => ObjectId | undefined,
  ): void {
    const { back, effects, totalOf } = this;
    this.burned = effects.burned.map((effect) => {
      const arrival = takenOf(arrivalOf(effect));
      if (arrival) {
        arrival.fromTransfer(back, effect.lot, takenOf(effect.lot));
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

/** Points of one lot that are taken back, and where they go when they came from another purse. */
class AwardReversal<A extends AccruedEffect> {
  /** How many are to be taken back now. */
  readonly points: number;
  /** Of those, how many were not yet. */
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

  /** They go back to this lot, which the same activity may have awarded. */
  fromTransfer(back: ReturnPostings, lot: ObjectId, awarded: AwardReversal<A> | undefined): void {
    this.source = { back, lot, awarded };
  }

  get isTransfer(): boolean {
    return this.source !== undefined;
  }

  /** Takes what is there: escrow first, then available points. */
  take(): void {
    const fromEscrowOnly = this.isPendingOnly && !this.effect.moved;
    const points = this.missing > 0 ? this.back.reverse(this.effect.lot, this.missing, { fromEscrowOnly }) : 0;
    this.missing -= points;
    this.returnToSource(points);
  }

  /**
   * Takes what came meanwhile, and charges the rest as far as more was burned than the member may keep; expired points
   * are not charged: the member has not had the use of them. Of a transfer only what was taken goes back, the rest is
   * gone: points never come from nothing.
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

  /** What is handed back may undo a charge of an award, which refills the lots that stood for it, this one too. */
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

  /** Gives points to the lot that they came from, and takes them from there at once where that goes back as well. */
  private returnToSource(points: number): void {
    if (points <= 0 || !this.source) return;
    this.source.back.restore(this.source.lot, points);
    this.source.awarded?.take();
  }

  /** How many more were burned than the member may keep and was charged for. */
  private shortfall(): number {
    const { lot: id, points, returned, charged } = this.effect;
    const lot = this.back.loaded(id);
    const mayKeep = points - returned - this.points;
    // A lot charged before it kept account of that has the charge in the effect only.
    const isKept = lot.chargedPoints !== undefined || lot.forgivenPoints !== undefined;
    return Math.max(0, lot.burnedPoints - (isKept ? owedPoints(lot) : charged) - mayKeep);
  }

  private get isPendingOnly(): boolean {
    return this.back.ledger.policy(this.effect.purse).clawback === 'pendingOnly';
  }
}
