import type { Changed } from './adjustMember';
import type { StampedChange } from './commitLedger';

/**
 * The changes of ledgers, with the fields that no ledger keeps in the accrual items that they add. So an item is
 * stored in one write.
 */
export function withItemFields(changes: readonly StampedChange[], added: readonly Changed[]): StampedChange[] {
  const fieldsOf = new Map(added.map(({ item, fields }) => [item.toHexString(), fields]));
  return changes.map((change) => ({
    ...change,
    // The id comes before the copies (decision 16).
    inserted: change.inserted.map(({ _id, ...lot }) => ({ _id, ...fieldsOf.get(_id.toHexString()), ...lot })),
  }));
}
