import type { ObjectId } from 'bson';
import type { Lot } from '../../records/points/lot';
import type { Ledger, Origin } from './ledger';

/** A lot of a purse before any points are in it, without its dates and state; where it comes from is written on it. */
export function emptyLot(
  ledger: Ledger,
  { _id, purse, origin: { activity, rule, ruleVersion } }: { _id: ObjectId; purse: ObjectId; origin: Origin },
) {
  return {
    _id,
    member: ledger.input.member._id,
    purse,
    purseName: ledger.policy(purse).name,
    program: ledger.input.member.program,
    accruedPoints: 0,
    escrowedPoints: 0,
    availablePoints: 0,
    burnedPoints: 0,
    expiredPoints: 0,
    reversedPoints: 0,
    repaidPoints: 0,
    hasExpired: false,
    hasBurned: false,
    ...(rule ? { rule } : {}),
    ...(ruleVersion === undefined ? {} : { ruleVersion }),
    ...(activity ? { activity } : {}),
  } satisfies Partial<Lot>;
}
