import type { FieldError } from '../errors';
import { integerMax } from '../schema/atoms';
import type { Discount } from './offerFields';

interface Range {
  max: number;
  isWhole: boolean;
}

/** Every value is above zero. */
const ranges: Record<Discount['type'], Range> = {
  amount: { max: integerMax, isWhole: true },
  percent: { max: 100, isWhole: false },
  points: { max: integerMax, isWhole: true },
  multiplier: { max: 1000, isWhole: false },
};

/** What the schema cannot say of a discount: the range of its value. Paths are below `discount`. */
export function discountFaults(discount: Discount | undefined): FieldError[] {
  if (!discount) return [];
  const { type, value } = discount;
  const { max, isWhole } = ranges[type];
  const path = 'discount.value';
  if (value <= 0) return [{ path, kind: 'exclusiveMinimum', message: 'must be > 0' }];
  if (value > max) return [{ path, kind: 'maximum', message: `must be <= ${max} for ${type}` }];
  if (isWhole && !Number.isInteger(value)) return [{ path, kind: 'type', message: `must be integer for ${type}` }];
  return [];
}
