import { isPlainObject } from '../../query/parseJsonArgument';
import type { Activity, LineItem } from '../../records/activities/activity';
import { parseInstant } from '../../schema/instant';

/**
 * What can be read of a posted body that its schema refuses, so that its other faults are found too. Fields that are not
 * what they should be are left out, or stand for something that has no fault of its own.
 */
export function legibleActivity(body: unknown, now: Date): Activity {
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
