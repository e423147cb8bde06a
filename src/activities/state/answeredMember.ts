import type { ObjectId } from 'bson';
import type { Ledger } from '#engine/points/ledger/ledger';
import { shownPurse } from '#engine/points/ledger/purses';
import { shownTiers } from '#engine/tiers/memberTiers';
import type { MemberState } from '#members/memberState/memberState';
import type { Lot } from '#records/points/lot';
import type { Purse } from '#records/points/purse';
import type { AnsweredMember, AnsweredPurse, ShownLot } from './pipelineRequest';

/** The member in the answer. Its purses list those accrual items that are in `touched`. */
export function answeredMember(
  { doc, ledger, tiers, tierPolicies }: Pick<MemberState, 'doc' | 'ledger' | 'tiers' | 'tierPolicies'>,
  touched: readonly ObjectId[] = [],
): AnsweredMember {
  return {
    _id: doc._id,
    loyaltyID: doc.loyaltyID,
    program: doc.program,
    purses: ledger.purses().map((purse) => answeredPurse(ledger, purse, touched)),
    tiers: shownTiers(tiers, tierPolicies, doc.tiers),
  };
}

/** Most accrual items that a purse in an answer lists. */
const accrualsMax = 100;

/** A purse in the answer, with at most 100 accrual items that the activity awarded or burned in it. */
export function answeredPurse(ledger: Ledger, purse: Purse, touched: readonly ObjectId[]): AnsweredPurse {
  const lots = touched.flatMap((id) => {
    const lot = ledger.lot(id);
    return lot?.purse.equals(purse.policyId) ? [lot] : [];
  });
  return shownPurse(purse, lots.slice(0, accrualsMax).map(shownLot));
}

/** A lot without its internal fields. */
function shownLot(lot: Lot): ShownLot {
  const { repaidPoints: _repaid, repaidAt: _at, repaidSeq: _seq, chargedPoints: _charged, ...rest } = lot;
  const { forgivenPoints: _forgiven, joinedOn: _on, inactivityUntil: _until, ...shown } = rest;
  return shown;
}
