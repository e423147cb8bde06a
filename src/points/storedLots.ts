import type { ObjectId } from 'bson';
import type { Lot } from './lot';
import { emptyQueues, type LotQueues, queuesOf } from './lotQueues';

/** The lots of a member as they were read: never changed, shared by all copies of a ledger, sorted when first asked. */
export class StoredLots {
  private byId: ReadonlyMap<string, Lot> | undefined;
  private byPurse: ReadonlyMap<string, LotQueues> | undefined;

  constructor(private readonly lots: readonly Lot[]) {}

  lot(id: ObjectId): Lot | undefined {
    this.byId ??= new Map(this.lots.map((lot) => [lot._id.toHexString(), lot]));
    return this.byId.get(id.toHexString());
  }

  /** The queues of a purse by its policy's id in hexadecimal. */
  queues(purse: string): LotQueues {
    this.byPurse ??= new Map(
      [...Map.groupBy(this.lots, (lot) => lot.purse.toHexString())].map(([key, lots]) => [key, queuesOf(lots)]),
    );
    return this.byPurse.get(purse) ?? emptyQueues;
  }

  /** Lots of a purse that repaid debt and were not given that back, the latest repayment first. */
  repaid(purse: ObjectId): Lot[] {
    return this.lots.filter((lot) => lot.repaidPoints > 0 && lot.purse.equals(purse));
  }
}
