import type { ChangedItem } from './adjustMember';
import type { StampedChange } from './commitLedger';

/** Adds to new accrual items the fields that are not part of the ledger, so that an item is stored in one write. */
export function withItemFields(changes: readonly StampedChange[], added: readonly ChangedItem[]): StampedChange[] {
  const fieldsOf = new Map(added.map(({ item, fields }) => [item.toHexString(), fields]));
  return changes.map((change) => ({
    ...change,
    // The id comes before the copies (decision 16).
    inserted: change.inserted.map(({ _id, ...lot }) => ({ _id, ...fieldsOf.get(_id.toHexString()), ...lot })),
  }));
}
