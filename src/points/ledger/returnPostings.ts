import assert from 'node:assert';
import type { ObjectId } from 'bson';
import type { Lot } from '../../records/points/lot';
import { repaymentOrder } from '../lots/lotOrder';
import type { PartChange } from '../lots/lotParts';
import { repayDebt } from './accrue';
import type { Ledger, Origin } from './ledger';
import type { ReturnLogLine } from './returnLogLine';
import { type Settled, settleAfterReturn } from './settle';

/**
 * How points of one member's ledger come back in one cancellation. At any time the debts that activities
 * made and the charges of cancelled awards, less what was undone of both, are together the debt of the purse and the
 * points that repaid debt. So whichever is undone, there is as much debt to lower or to refill.
 */
export class ReturnPostings {
  readonly lines: ReturnLogLine[] = [];
  /** What expired as it came back. */
  readonly expired: Settled['expired'] = [];
  /** Points came back since it was settled; some may be past their date. */
  private isUnsettled = false;
  /** By purse policy: lots that repaid, the latest first, and how many of them were looked at. */
  private readonly repaid = new Map<string, { lots: Lot[]; next: number }>();

  constructor(
    readonly ledger: Ledger,
    readonly origin: Origin,
  ) {}

  /** Burned points come back to their lot, or to whom it owes them. */
  restore(id: ObjectId, points: number): void {
    if (points <= 0) return;
    const { purse } = this.loaded(id);
    this.undoDebt(purse, this.restoreLot(id, points));
  }

  /** Burned points of a lot that left for another purse and are gone there: nobody gets them. */
  writeOff(id: ObjectId, points: number): void {
    if (points <= 0) return;
    const { purse } = this.loaded(id);
    this.undoDebt(purse, this.restoreLot(id, points, { isGone: true }));
  }

  /**
   * Undoes debt that was made: the debt itself is lowered first; what was repaid of it comes back to the lots that
   * repaid, the latest first. Debts of a purse are one sum: it does not matter who made which part of it.
   */
  undoDebt(purse: ObjectId, points: number): void {
    if (points <= 0) return;
    // What comes back to a lot whose award was cancelled undoes the charge of that, so more is to be undone.
    let left = this.lowerDebt(purse, points);
    for (const queue = this.repaidLots(purse); left > 0 && queue.next < queue.lots.length; ) {
      const lot = this.loaded(queue.lots[queue.next]?._id);
      const part = Math.min(left, lot.repaidPoints);
      if (part > 0) left += this.restoreLot(lot._id, part, { isRepaid: true }) - part;
      else queue.next += 1;
    }
    this.note('alreadyGone', purse, left);
  }

  /** Expires what came back past its date, and lets the rest repay debt. */
  settle(): void {
    this.repaid.clear();
    this.isUnsettled = false;
    this.expired.push(...settleAfterReturn(this.ledger, this.origin));
  }

  /**
   * Charges burned points of a lot whose award is taken back: they become debt, which the purse's other available lots
   * repay at once in burn order. With `toZero` only as much becomes debt as they can repay, so the balance stays at zero
   * or above; the rest is forgiven. The lot owes both from then on. What came back before is settled first: points past
   * their date stand for nothing.
   * @returns how many were not forgiven
   */
  charge(id: ObjectId, points: number): number {
    if (points <= 0) return 0;
    if (this.isUnsettled) this.settle();
    const { ledger, origin } = this;
    const lot = this.loaded(id);
    const { purse } = lot;
    const isForgiving = ledger.policy(purse).clawback === 'toZero';
    const charged = isForgiving ? Math.min(points, Math.max(0, ledger.purse(purse).availBalance)) : points;
    const forgiven = points - charged;
    const parts = { ...above0('chargedPoints', charged), ...above0('forgivenPoints', forgiven) };
    ledger.post({ purse, kind: 'reverse', lot, parts, debt: charged, origin });
    const reversals = this.repay(purse);
    this.note('becameDebt', purse, charged - reversals, id);
    this.note('forgiven', purse, forgiven, id);
    return charged;
  }

  /** Takes escrowed and available points of a lot back; how many it were. */
  reverse(id: ObjectId, points: number, { fromEscrowOnly }: { fromEscrowOnly: boolean }): number {
    const lot = this.loaded(id);
    const escrowed = Math.min(points, lot.escrowedPoints);
    const available = fromEscrowOnly ? 0 : Math.min(points - escrowed, lot.availablePoints);
    const reversedPoints = escrowed + available;
    if (reversedPoints <= 0) return 0;
    this.post(lot, 'reverse', { escrowedPoints: -escrowed, availablePoints: -available, reversedPoints });
    this.note('reversed', lot.purse, reversedPoints, id);
    return reversedPoints;
  }

  note(did: ReturnLogLine['did'], purse: ObjectId, points: number, lot?: ObjectId): void {
    if (points <= 0) return;
    const { name } = this.ledger.purse(purse);
    this.lines.push({ did, purse: name, points, ...(lot ? { accrualItem: lot } : {}) });
  }

  loaded(id: ObjectId | undefined): Lot {
    const lot = id && this.ledger.lot(id);
    assert(lot, 'lots that are given back are loaded');
    return lot;
  }

  /**
   * Restores points to a lot, and takes away again what it owes of them.
   * @returns how many it owed for debt, which is to be undone
   */
  private restoreLot(id: ObjectId, points: number, { isRepaid = false, isGone = false } = {}): number {
    const lot = this.loaded(id);
    const { chargedPoints = 0, forgivenPoints = 0 } = lot;
    const charged = Math.min(points, chargedPoints);
    const forgiven = Math.min(points - charged, forgivenPoints);
    this.isUnsettled = true;
    const back = this.post(lot, 'restore', {
      ...{ burnedPoints: -points, availablePoints: points },
      ...(isRepaid ? { repaidPoints: -points } : {}),
      ...above0('chargedPoints', charged, -1),
      ...above0('forgivenPoints', forgiven, -1),
    });
    const reversedPoints = isGone ? points : charged + forgiven;
    if (reversedPoints > 0) this.post(back, 'reverse', { availablePoints: -reversedPoints, reversedPoints });
    if (isGone) return charged;
    this.note('restored', lot.purse, points, id);
    this.note('reversed', lot.purse, reversedPoints, id);
    return charged;
  }

  /** How much is left when the debt of the purse has been lowered by up to so many. */
  private lowerDebt(purse: ObjectId, points: number): number {
    const lowered = Math.min(points, this.ledger.purse(purse).debt);
    if (lowered > 0) this.ledger.post({ purse, kind: 'restore', debt: -lowered, origin: this.origin });
    this.note('debtLowered', purse, lowered);
    return points - lowered;
  }

  /** Lets other lots repay what was charged; how much they did. */
  private repay(purse: ObjectId): number {
    const reversals = repayDebt(this.ledger, purse, this.origin);
    this.repaid.delete(purse.toHexString());
    for (const { lot, points } of reversals) this.note('takenFromOthers', purse, points, lot);
    return reversals.reduce((total, { points }) => total + points, 0);
  }

  private repaidLots(purse: ObjectId): { lots: Lot[]; next: number } {
    const key = purse.toHexString();
    const known = this.repaid.get(key);
    if (known) return known;
    const lots = this.ledger.lots.matching(({ repaidPoints }) => repaidPoints > 0, purse).sort(repaymentOrder);
    const found = { lots, next: 0 };
    this.repaid.set(key, found);
    return found;
  }

  private post(lot: Lot, kind: 'restore' | 'reverse', parts: PartChange): Lot {
    return this.ledger.post({ purse: lot.purse, kind, lot, parts, origin: this.origin }) ?? lot;
  }
}

/** A part of a lot and its change, when there is any: lots without such points need no field for them. */
function above0(part: keyof PartChange, points: number, sign = 1): PartChange {
  return points > 0 ? { [part]: sign * points } : {};
}
