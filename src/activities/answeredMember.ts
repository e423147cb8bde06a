import type { ObjectId } from 'bson';
import type { Lot } from '../points/lot';
import type { MemberState } from '../points/memberState';
import { shownPurse } from '../points/purse';
import { shownTiers } from '../tiers/tierBook';
import type { AnsweredMember, AnsweredPurse, ShownLot } from './work';

/** The member as answered beside a result; purses carry the accrual items among `touched`. */
export function answeredMember(
  { doc, ledger, tiers, tierPolicies }: Pick<MemberState, 'doc' | 'ledger' | 'tiers' | 'tierPolicies'>,
  touched: readonly ObjectId[] = [],
): AnsweredMember {
  return {
    _id: doc._id,
    loyaltyID: doc.loyaltyID,
    program: doc.program,
    purses: ledger.purses().map((purse) => answeredPurse(ledger, purse.policyId, touched)),
    tiers: shownTiers(tiers, tierPolicies, doc.tiers),
  };
}

/** Accrual items that a purse in an answer lists at most. */
const accrualsMax = 100;

/** A purse as answered: with the accrual items that an activity touched in it, at most 100. */
export function answeredPurse(
  ledger: MemberState['ledger'],
  policyId: ObjectId,
  touched: readonly ObjectId[],
): AnsweredPurse {
  const accruals = touched.flatMap((id) => {
    const lot = ledger.lot(id);
    return lot?.purse.equals(policyId) ? [shownLot(lot)] : [];
  });
  return shownPurse(ledger.purse(policyId), accruals.slice(0, accrualsMax));
}

/** A lot without the fields that never leave. */
function shownLot({ repaidPoints: _repaid, repaidSeq: _seq, ...lot }: Lot): ShownLot {
  return lot;
}
