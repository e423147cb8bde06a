import assert from 'node:assert';
import type { ObjectId } from 'bson';
import type { Lot } from '#records/points/lot';
import type { PartChange } from '../lots/lotParts';
import { repaymentOrder } from '../lots/lotQueues';
import { repayDebt } from './accrue';
import type { Ledger, Origin } from './ledger';
import type { ReturnLogLine } from './returnLogLine';
import { type Settled, settleAfterReturn } from './settle';

/**
 * The journal entries that one cancellation writes in one member's ledger. At any time this holds for a purse:
 * debt that activities made + charges of cancelled awards - what was undone of both = debt + points that repaid debt.
 * So whichever debt or charge is undone, there is always as much debt to lower or as many repayments to restore.
 */
export class ReturnPostings {
  readonly lines: ReturnLogLine[] = [];
  /** Points that expired at once when they were restored. */
  readonly expired: Settled['expired'] = [];
  /** Points were restored since the last `settle`; some may be past their expiry. */
  private isUnsettled = false;
  /** By purse policy: lots that repaid debt, the latest first, and the index of the next one to restore. */
  private readonly repaid = new Map<string, { lots: Lot[]; next: number }>();

  constructor(
    readonly ledger: Ledger,
    readonly origin: Origin,
  ) {}

  /** Restores burned points to their lot. Points whose award was charged undo that charge instead. */
  restore(id: ObjectId, points: number): void {
    if (points <= 0) return;
    const { purse } = this.loaded(id);
    this.undoDebt(purse, this.restoreLot(id, points));
  }

  /** Writes off points that were transferred to another purse and are gone there: they count as reversed here. */
  writeOff(id: ObjectId, points: number): void {
    if (points <= 0) return;
    const { purse } = this.loaded(id);
    this.undoDebt(purse, this.restoreLot(id, points, { isGone: true }));
  }

  /**
   * Undoes debt that an activity made. First it undoes repayments by awards that were reversed in the meantime. Then
   * the open debt is lowered. Then points that repaid debt are restored to their lots, the latest repayment first. The
   * debt of a purse is one sum: it does not matter which activity made which part.
   */
  undoDebt(purse: ObjectId, points: number): void {
    if (points <= 0) return;
    this.undoChargedRepayments(purse);
    // Restoring points to a lot whose award was charged undoes that charge too, so `left` can grow.
    let left = this.lowerDebt(purse, points);
    for (const queue = this.repaidLots(purse); left > 0 && queue.next < queue.lots.length; ) {
      const lot = this.loaded(queue.lots[queue.next]?._id);
      const part = Math.min(left, lot.repaidPoints);
      if (part > 0) left += this.restoreLot(lot._id, part, { isRepaid: true }) - part;
      else queue.next += 1;
    }
    this.note('alreadyGone', purse, left);
  }

  /** Expires restored points that are past their date, and uses the rest to repay debt. */
  settle(): void {
    this.repaid.clear();
    this.isUnsettled = false;
    this.expired.push(...settleAfterReturn(this.ledger, this.origin));
  }

  /**
   * Charges burned points of a lot whose award is reversed: they become debt, and the available lots of the purse repay
   * it at once in burn order. With the claw-back `toZero` only as much becomes debt as those lots can repay, so the
   * charge never makes the balance negative; the rest is forgiven. The lot records both numbers. Points that were
   * restored before are settled first, because expired points cannot repay debt.
   * @returns how many points were charged, without the forgiven ones
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

  /**
   * Reverses points of a lot: escrowed points first, then available points.
   * @returns how many points were reversed
   */
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
    assert(lot, 'lots of a return are loaded');
    return lot;
  }

  /**
   * Restores points to a lot, and at once reverses those that were charged or forgiven before.
   * @returns how many of them were charged; the caller must undo that debt
   */
  private restoreLot(id: ObjectId, points: number, { isRepaid = false, isGone = false } = {}): number {
    const lot = this.loaded(id);
    const { chargedPoints = 0, forgivenPoints = 0 } = lot;
    const charged = Math.min(points, chargedPoints);
    const forgiven = Math.min(points - charged, forgivenPoints);
    this.isUnsettled = true;
    const back = this.post(lot, 'restore', {
      burnedPoints: -points,
      availablePoints: points,
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

  /**
   * Reverses points that repaid debt and whose award was charged for it: the charge restored the debt that they had
   * repaid. Both are undone together, so the debt stays. Otherwise such points would stay burned forever, though
   * nothing burned them.
   */
  private undoChargedRepayments(purse: ObjectId): void {
    for (const { _id, repaidPoints, chargedPoints = 0 } of this.repaidLots(purse).lots) {
      const part = Math.min(repaidPoints, chargedPoints);
      if (part > 0) this.restoreLot(_id, part, { isRepaid: true });
    }
    this.repaid.delete(purse.toHexString());
  }

  /**
   * Lowers the open debt of a purse by up to `points`.
   * @returns the points that exceed the debt
   */
  private lowerDebt(purse: ObjectId, points: number): number {
    const lowered = Math.min(points, this.ledger.purse(purse).debt);
    if (lowered > 0) this.ledger.post({ purse, kind: 'restore', debt: -lowered, origin: this.origin });
    this.note('debtLowered', purse, lowered);
    return points - lowered;
  }

  /**
   * Repays charged debt from other lots.
   * @returns the points repaid
   */
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

/** The change of one part of a lot; empty for 0 points, so that most lots do not get the optional fields. */
function above0(part: keyof PartChange, points: number, sign = 1): PartChange {
  return points > 0 ? { [part]: sign * points } : {};
}
