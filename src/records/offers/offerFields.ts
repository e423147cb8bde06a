import { type Static, Type } from '@sinclair/typebox';
import {
  count,
  effectiveShape,
  ext,
  findableName,
  identifier,
  integerMax,
  list,
  objectId,
  oneOf,
  record,
  text,
} from '#base/schema/atoms';
import { filterShape } from '#records/catalog/filterShape';

/** The allowed values of a discount: above 0, up to `max`. */
export interface DiscountRange {
  max: number;
  isWhole: boolean;
}

/** The allowed values for each type of discount. */
export const discountRanges = {
  amount: { max: integerMax, isWhole: true },
  percent: { max: 100, isWhole: false },
  points: { max: integerMax, isWhole: true },
  multiplier: { max: 1000, isWhole: false },
} as const satisfies Record<string, DiscountRange>;

/** The discount or bonus of an offer or reward; `discountFaults` checks the range of `value` for each type. */
export const discountShape = record(
  {
    type: oneOf(['amount', 'percent', 'points', 'multiplier'], {
      description: 'Minor units off, percent off, points on top, or points times value',
    }),
    value: Type.Number(),
    max: Type.Optional(count({ description: 'Minor units or points that it gives at most' })),
  },
  { 'x-document': { anyOf: Object.entries(discountRanges).map(rangeRule) } },
);

function rangeRule([type, { max, isWhole }]: [string, DiscountRange]) {
  const value = { type: isWhole ? 'integer' : 'number', exclusiveMinimum: 0, maximum: max };
  return { properties: { type: { const: type }, value } };
}

export type Discount = Static<typeof discountShape>;

/** The offers and rewards that an offer or reward does not go with. */
const excludesShape = record({
  all: Type.Optional(Type.Boolean({ description: 'It goes with no other offer or reward' })),
  stackGroups: Type.Optional(list(findableName(100), 50, { description: 'It goes with none of these groups' })),
});

/** The fields that offers and rewards share. */
export const offerFields = {
  code: identifier(100, { description: 'Unique in any case; what activities name in couponCode' }),
  /**
   * The form by which the code is found, and unique, in any case. Absent for an older record whose code differs from
   * another only in case.
   */
  codeKey: Type.Optional(Type.String({ maxLength: 400 })),
  name: text(200),
  program: objectId('Program'),
  effective: Type.Optional(effectiveShape),
  productFilter: Type.Optional(filterShape),
  locationFilter: Type.Optional(filterShape),
  discount: Type.Optional(discountShape),
  uses: Type.Optional(
    record({
      total: Type.Optional(count({ description: 'Uses of all members together at most' })),
      perMember: Type.Optional(count({ description: 'Uses of one member at most' })),
    }),
  ),
  stackGroup: Type.Optional(findableName(100, { description: 'Of one group only one is applied' })),
  perLine: Type.Optional(Type.Boolean({ description: 'The discount is one for each line item, by itself' })),
  excludes: Type.Optional(excludesShape),
  priority: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'Higher first' })),
  ext: ext(),
};
