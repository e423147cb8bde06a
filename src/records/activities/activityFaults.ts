import type { FieldError } from '#base/common/errors';
import { ownKeyPrefix } from '#base/common/ownKeys';
import { isPlainObject } from '#base/common/plainObject';
import { type Activity, builtInActivityTypes, builtInChannelTypes, builtInUnits, type LineItem } from './activity';
import { isOccasionType } from './occasion';

/** Checks what the schema cannot: words that Enums may add, dates and sums. */
export function activityFaults(activity: Activity, extended: Extended, now: Date): FieldError[] {
  return [...wordFaults(activity, extended), ...valueFaults(activity, now)];
}

/** Checks that an activity names its member, or for a Cancellation its original. */
export function missingFaults({ type, originalTxnId, memberID, loyaltyID }: Activity): FieldError[] {
  if (type === 'Cancellation') {
    if (originalTxnId) return [];
    return [{ path: 'originalTxnId', kind: 'required', message: 'is required for a Cancellation' }];
  }
  if (memberID || loyaltyID !== undefined) return [];
  return [{ path: 'memberID', kind: 'required', message: 'memberID or loyaltyID is required' }];
}

/** Checks the line items that a Cancellation names. The original is not known yet. */
export function namedLineFaults({ type, lineItems }: Pick<Activity, 'type' | 'lineItems'>): FieldError[] {
  if (type !== 'Cancellation') return [];
  return lineItems.flatMap(({ _id, itemSKU, productId, quantity }, index) => {
    const path = `lineItems.${index}`;
    if (_id === undefined && itemSKU === undefined && !productId) {
      const message = '_id, itemSKU or productId says which line item came back';
      return [{ path: `${path}._id`, kind: 'required', message }];
    }
    return quantity === 0 ? [{ path: `${path}.quantity`, kind: 'minimum', message: 'must be at least 1' }] : [];
  });
}

/**
 * Refuses a Cancellation whose part is there but empty. A till that found no line, or no value, would otherwise take back
 * the whole activity: a part that is not named means everything.
 * @param body the Cancellation as sent
 */
export function emptyPartFaults(body: unknown): FieldError[] {
  if (!isPlainObject(body)) return [];
  const { lineItems } = body;
  const ofValue = body.value === null ? [emptyPart('value')] : [];
  if (body.value === 0 && lineItems === undefined) {
    return [{ path: 'value', kind: 'minimum', message: 'must be at least 1' }];
  }
  const isEmpty = lineItems === null || (Array.isArray(lineItems) && lineItems.length === 0);
  if (isEmpty) {
    const message = 'names no line item; leave it out to return all that is left';
    return [...ofValue, { path: 'lineItems', kind: 'required', message }];
  }
  const lines = Array.isArray(lineItems) ? (lineItems as unknown[]) : [];
  const ofLines = lines.flatMap((line, index) =>
    isPlainObject(line) && line.quantity === null ? [emptyPart(`lineItems.${index}.quantity`)] : [],
  );
  return [...ofValue, ...ofLines];
}

function emptyPart(path: string): FieldError {
  return { path, kind: 'required', message: 'is empty; leave it out to return all that is left' };
}

/** How far an activity's date may be in the future. */
const futureMaxMs = 24 * 3_600_000;

/** The earliest date of an activity: aggregates begin with 1900. */
const dateMin = new Date('1900-01-01T00:00:00.000Z');

function valueFaults(activity: Activity, now: Date): FieldError[] {
  const errors: FieldError[] = [];
  if (activity.date.getTime() > now.getTime() + futureMaxMs) {
    errors.push({ path: 'date', kind: 'date', message: 'must not be more than 24 hours ahead' });
  }
  if (activity.date < dateMin) errors.push({ path: 'date', kind: 'date', message: 'must not be before 1900' });
  if (!Number.isSafeInteger(activity.value)) {
    errors.push({
      path: 'value',
      kind: 'maximum',
      message: 'the sum of itemPrice * quantity must be at most 2^53 - 1',
    });
  }
  if (activity.externalTxnId?.startsWith(ownKeyPrefix)) {
    errors.push({ path: 'externalTxnId', kind: 'pattern', message: `must not begin with ${ownKeyPrefix}` });
  }
  activity.lineItems.forEach((item, index) => {
    if (!Number.isSafeInteger(amount(item))) {
      errors.push({
        path: `lineItems.${index}.itemPrice`,
        kind: 'maximum',
        message: 'itemPrice * quantity must be at most 2^53 - 1',
      });
    }
  });
  return errors;
}

/** The values that Enums add to the built-in ones, by the type of the Enum. */
export type Extended = ReadonlyMap<string, ReadonlySet<string>>;

export interface Word {
  type: 'ActivityType' | 'ChannelType' | 'SalesUOM';
  value: string;
  path: string;
}

const builtIn: Record<Word['type'], ReadonlySet<string>> = {
  ActivityType: new Set(builtInActivityTypes),
  ChannelType: new Set(builtInChannelTypes),
  SalesUOM: new Set(builtInUnits),
};

/** The words of an activity that are not built in. Each must be a value of an Enum. */
export function unknownWords(activity: Activity): Word[] {
  const words: Word[] = [{ type: 'ActivityType', value: activity.type, path: 'type' }];
  if (activity.srcChannelType !== undefined) {
    words.push({ type: 'ChannelType', value: activity.srcChannelType, path: 'srcChannelType' });
  }
  activity.lineItems.forEach((item, index) => {
    if (item.itemUOM !== undefined) {
      words.push({ type: 'SalesUOM', value: item.itemUOM, path: `lineItems.${index}.itemUOM` });
    }
  });
  return words.filter(({ type, value }) => !builtIn[type].has(value));
}

function wordFaults(activity: Activity, extended: Extended): FieldError[] {
  return unknownWords(activity)
    .filter((word) => isOwn(word) || !extended.get(word.type)?.has(word.value))
    .map((word) => {
      const { type, value, path } = word;
      const known = `must be one of ${[...builtIn[type]].join(', ')}, or a value of an Enum of type ${type}`;
      return { path, kind: 'enum', message: isOwn(word) ? `${known}; only the service itself posts ${value}` : known };
    });
}

/** Whether a word is a type of activity that only the service itself posts. */
function isOwn({ type, value }: Word): boolean {
  return type === 'ActivityType' && isOccasionType(value);
}

/** The amount of a line item that has no `itemAmount`, in minor units. */
export function amount({ itemPrice = 0, quantity = 1 }: LineItem): number {
  return itemPrice * quantity;
}
