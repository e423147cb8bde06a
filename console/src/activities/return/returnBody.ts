import type { components, operations } from 'loyalty-client/generated/api';

type History = components['schemas']['ActivityHistory'];
type Line = History['lineItems'][number];

/** What is to be returned: everything that is left, units of lines, or an amount. */
export interface ReturnSelection {
  how: 'all' | 'lines' | 'value';
  /** What was typed for each line, in their order. */
  quantities: readonly string[];
  value: string;
}

/** A form in which nothing is chosen yet. By line, where there are lines. */
export function emptySelection({ lineItems }: History): ReturnSelection {
  return { how: lineItems.length > 0 ? 'lines' : 'all', quantities: lineItems.map(() => ''), value: '' };
}

/** How many units of a line can still be returned. */
export function unitsLeft({ quantity = 1, returnedQuantity = 0 }: Line): number {
  return Math.max(0, quantity - returnedQuantity);
}

/** The body of a return: empty for everything that is left. */
export type ReturnBody = NonNullable<
  operations['postActivityByIdCancel']['requestBody']
>['content']['application/json'];

/** The body of the return; undefined while nothing, or something impossible, is selected. */
export function bodyOf(
  { lineItems, value, returnedValue = 0 }: History,
  { how, quantities, value: typed }: ReturnSelection,
): ReturnBody | undefined {
  if (how === 'all') return {};
  if (how === 'value') {
    const amount = Number(typed);
    const isPossible = Number.isSafeInteger(amount) && amount > 0 && amount <= value - returnedValue;
    return isPossible ? { value: amount } : undefined;
  }
  const lines = lineItems.map((line, place) => ({ line, quantity: Number(quantities[place] ?? 0) }));
  const isPossible = lines.every(({ line, quantity }) => quantity >= 0 && quantity <= unitsLeft(line));
  const wanted = lines.filter(({ quantity }) => quantity > 0);
  if (!isPossible || wanted.length === 0) return undefined;
  return { lineItems: wanted.flatMap(({ line, quantity }) => wantedOf(line, quantity)) };
}

/** A line in the body: by its id where it has one, else by what was sold. A line with neither is not named alone. */
function wantedOf({ _id, itemSKU, productId }: Line, quantity: number): NonNullable<ReturnBody['lineItems']> {
  if (_id !== undefined) return [{ _id, quantity }];
  if (itemSKU !== undefined) return [{ itemSKU, quantity }];
  return productId === undefined ? [] : [{ productId, quantity }];
}
