import type { FieldError } from '../errors';
import { type Discount, discountRanges } from '../records/offers/offerFields';

/** What the schema cannot say of a discount: the range of its value. Paths are below `discount`. */
export function discountFaults(discount: Discount | undefined): FieldError[] {
  if (!discount) return [];
  const { type, value } = discount;
  const { max, isWhole } = discountRanges[type];
  const path = 'discount.value';
  if (value <= 0) return [{ path, kind: 'exclusiveMinimum', message: 'must be > 0' }];
  if (value > max) return [{ path, kind: 'maximum', message: `must be <= ${max} for ${type}` }];
  if (isWhole && !Number.isInteger(value)) return [{ path, kind: 'type', message: `must be integer for ${type}` }];
  return [];
}
