import { isPlainObject } from '#base/common/plainObject';
import { parseInstant } from '#base/schema/instant';
import type { Activity, LineItem } from './activity';

/**
 * Reads what it can from a posted body that the schema refuses, so that the answer names the other faults too. It
 * leaves out a field of the wrong type, or puts a valid default in its place.
 */
export function lenientActivity(body: unknown, now: Date): Activity {
  const sent = isPlainObject(body) ? body : {};
  const { date, value, utcOffset } = sent;
  const offset = Number.isInteger(utcOffset) ? Number(utcOffset) : 0;
  return {
    ...textsOf(sent, ['type', 'srcChannelType', 'loyaltyID', 'memberID', 'originalTxnId']),
    ...extOf(sent),
    type: typeof sent.type === 'string' ? sent.type : '',
    date: (typeof date === 'string' ? parseInstant(date, offset) : undefined) ?? now,
    value: typeof value === 'number' ? value : 0,
    lineItems: Array.isArray(sent.lineItems) ? sent.lineItems.map(lineItem) : [],
  };
}

function lineItem(sent: unknown): LineItem {
  if (!isPlainObject(sent)) return {};
  const { itemPrice, quantity } = sent;
  return {
    ...textsOf(sent, ['itemUOM']),
    ...extOf(sent),
    ...(typeof itemPrice === 'number' ? { itemPrice } : {}),
    ...(typeof quantity === 'number' ? { quantity } : {}),
  };
}

function textsOf(sent: Record<string, unknown>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (typeof sent[name] === 'string' ? [[name, sent[name]]] : [])));
}

function extOf({ ext }: Record<string, unknown>): Pick<LineItem, 'ext'> {
  return isPlainObject(ext) ? { ext } : {};
}
