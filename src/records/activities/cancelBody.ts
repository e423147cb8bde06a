import { Type } from '@sinclair/typebox';
import { list, oneOf, record } from '#base/schema/atoms';
import { activityBody, lineItemBody, returnedLineRule } from './activity';

const returnedLine = record(lineItemBody, {
  description:
    'A returned line item: `_id`, `itemSKU` or `productId` names it, `quantity` is how much of it is returned, by default all that is left. Its other fields are stored as sent and have no effect.',
  'x-document': returnedLineRule,
});

/** The body of a cancel: the fields of the cancellation. `type` is Cancellation or absent. */
export const cancelBody = record(
  {
    ...activityBody.properties,
    type: Type.Optional(oneOf(['Cancellation'])),
    lineItems: Type.Optional(
      list(returnedLine, 1000, {
        'x-document': { minItems: 1 },
        description:
          'The returned line items; without it, a part of the value is returned, and without both all that is left. An empty list is refused',
      }),
    ),
  },
  { examples: [{ type: 'Cancellation', lineItems: [{ itemSKU: 'TEA-1', quantity: 1 }] }] },
);
