import { type TProperties, Type } from '@sinclair/typebox';
import { count, decimal, integerMax, list, named, objectId, oneOf, record, signed } from '#base/schema/atoms';
import { locationFields } from '#records/catalog/locationFields';
import { partnerFields } from '#records/catalog/partnerFields';
import { productFields } from '#records/catalog/productFields';
import { lineItemFields } from './activity';
import { firedRule, paidShape, ruleMatch, shownResult } from './shownResult';

/** A record as it was when the activity was processed. Older ones may have other fields. */
function snapshot(name: string, fields: TProperties) {
  return Type.Optional(named(name, record({ _id: objectId(), ...fields }, { additionalProperties: true })));
}

const couponFields = {
  _id: objectId(),
  code: Type.String(),
  name: Type.String(),
  kind: oneOf(['offer', 'reward']),
};

const discount = decimal({ description: 'In minor units' });

const appliedCoupon = named(
  'AppliedCoupon',
  record({
    ...couponFields,
    discount,
    points: signed({ description: 'Points that it gave' }),
    lineItems: Type.Optional(
      list(record({ position: count({ description: 'Of the line item, from 0' }), discount, points: count() }), 1000, {
        description: 'Only of an offer for each line item: what it gave to each',
      }),
    ),
    paid: Type.Optional(paidShape),
    rule: Type.Optional(objectId('Rule', { description: 'The rule that applied it; absent when a code did' })),
  }),
);

const returned = {
  returnedQuantity: Type.Optional(
    count({ description: 'How much of it was returned by cancellations that name it or return everything' }),
  ),
  returnedValue: Type.Optional(
    signed({ description: 'How much of its amount was returned, with its share of a returned value' }),
  ),
};

const lineItem = named(
  'LineItem',
  record({
    ...lineItemFields,
    product: snapshot('ProductSnapshot', productFields),
    coupon: Type.Optional(named('LineItemCoupon', record({ ...couponFields, discount: Type.Optional(discount) }))),
    ...returned,
  }),
);

/**
 * The computed fields of a history as answers show them. In the stored history, and for filters, they have no types.
 */
export const shownHistory = {
  lineItems: list(lineItem, 1000),
  result: shownResult,
  ruleMatch: list(ruleMatch, integerMax, { description: 'The rules that fired or were cut' }),
  currentRule: Type.Optional(firedRule),
  location: snapshot('LocationSnapshot', locationFields),
  partner: snapshot('PartnerSnapshot', partnerFields),
  coupon: Type.Optional(named('CouponSnapshot', record(couponFields))),
  bestOffers: Type.Optional(list(appliedCoupon, integerMax, { description: 'The offers and rewards applied' })),
};
