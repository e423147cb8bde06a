import type { DocOf } from '#base/schema/resource';
import { type Change, recordChange } from '#platform/audit/change';
import { accrualItemResource } from '#records/points/accrualItem';

type AccrualItem = DocOf<typeof accrualItemResource>;

/** Extension fields may hold personal data, which an erasure could not remove from the audit log. */
const leftOut = [...accrualItemResource.hidden, 'ext'];

/** The entry of the audit log for an accrual item that was changed by hand. A new item has no `before`. */
export function itemChange(action: string, after: AccrualItem, before?: AccrualItem | null): Change {
  const sides = { ...(before ? { before } : {}), after };
  return recordChange(accrualItemResource, { action, id: after._id }, sides, leftOut);
}
