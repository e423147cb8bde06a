import type { ObjectId } from 'bson';
import type { Lot } from './lot';
import { emptyQueues, type LotQueues, queuesOf } from './lotQueues';

/** The lots of a member as they were read: never changed, shared by all copies of a ledger, sorted when first asked. */
export class StoredLots {
  private byId: ReadonlyMap<string, Lot> | undefined;
  private byPurse: ReadonlyMap<string, LotQueues> | undefined;

  constructor(readonly all: readonly Lot[]) {}

  lot(id: ObjectId): Lot | undefined {
    this.byId ??= new Map(this.all.map((lot) => [lot._id.toHexString(), lot]));
    return this.byId.get(id.toHexString());
  }

  /** The queues of a purse by its policy's id in hexadecimal. */
  queues(purse: string): LotQueues {
    this.byPurse ??= new Map([...groupByPurse(this.all)].map(([key, lots]) => [key, queuesOf(lots)]));
    return this.byPurse.get(purse) ?? emptyQueues;
  }
}

function groupByPurse(lots: readonly Lot[]): Map<string, Lot[]> {
  const groups = new Map<string, Lot[]>();
  for (const lot of lots) {
    const key = lot.purse.toHexString();
    const group = groups.get(key);
    if (group) group.push(lot);
    else groups.set(key, [lot]);
  }
  return groups;
}
