import { Type } from '@sinclair/typebox';
import { list, oneOf, record } from '../../schema/atoms';
import { activityBody, lineItemBody } from './activity';

const returnedLine = record(lineItemBody, {
  description:
    'A line item that came back: `_id` or `itemSKU` says which, `quantity` how much of it, by default all that is left. Its other fields are kept as sent and count for nothing.',
});

/** The body of a cancel: the key-values of the cancellation; `type` is Cancellation or absent. */
export const cancelBody = record(
  {
    ...activityBody.properties,
    type: Type.Optional(oneOf(['Cancellation'])),
    lineItems: Type.Optional(
      list(returnedLine, 1000, { description: 'What came back; without it, a part of the value' }),
    ),
  },
  { examples: [{ type: 'Cancellation', lineItems: [{ itemSKU: 'TEA-1', quantity: 1 }] }] },
);
