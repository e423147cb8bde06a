import type { ObjectId } from 'bson';
import type { MemberState } from '../../memberState/memberState';
import type { Ledger } from '../../points/ledger/ledger';
import { shownPurse } from '../../points/ledger/purses';
import type { Lot } from '../../records/points/lot';
import type { Purse } from '../../records/points/purse';
import { shownTiers } from '../../tiers/ladder/tierBook';
import type { AnsweredMember, AnsweredPurse, ShownLot } from './work';

/**
 * The member as answered beside a result; purses carry the accrual items among `touched`.
 * @param shown the purses that the log of the result shows
 */
export function answeredMember(
  { doc, ledger, tiers, tierPolicies }: Pick<MemberState, 'doc' | 'ledger' | 'tiers' | 'tierPolicies'>,
  touched: readonly ObjectId[] = [],
  shown = new AnsweredPurses(),
): AnsweredMember {
  return {
    _id: doc._id,
    loyaltyID: doc.loyaltyID,
    program: doc.program,
    purses: ledger.purses().map((purse) => shown.show(ledger, purse, touched)),
    tiers: shownTiers(tiers, tierPolicies, doc.tiers),
  };
}

/** Accrual items that a purse in an answer lists at most. */
const accrualsMax = 100;

/**
 * Purses as answered: with the accrual items that an activity touched in them, at most 100. One that is as it was when
 * it was shown last is the same object again, so that it is put together and written once.
 */
export class AnsweredPurses {
  private last: { purse: Purse; lots: readonly Lot[]; shown: AnsweredPurse } | undefined;

  show(ledger: Ledger, purse: Purse, touched: readonly ObjectId[]): AnsweredPurse {
    const lots = touched.flatMap((id) => {
      const lot = ledger.lot(id);
      return lot?.purse.equals(purse.policyId) ? [lot] : [];
    });
    // Purses and lots are replaced, never changed in place.
    if (this.last?.purse === purse && areSame(this.last.lots, lots)) return this.last.shown;
    const shown = shownPurse(purse, lots.slice(0, accrualsMax).map(shownLot));
    this.last = { purse, lots, shown };
    return shown;
  }
}

function areSame(some: readonly Lot[], others: readonly Lot[]): boolean {
  return some.length === others.length && some.every((lot, index) => lot === others[index]);
}

/** A lot without the fields that never leave. */
function shownLot(lot: Lot): ShownLot {
  const { repaidPoints: _repaid, repaidAt: _at, repaidSeq: _seq, chargedPoints: _charged, ...rest } = lot;
  const { forgivenPoints: _forgiven, ...shown } = rest;
  return shown;
}
