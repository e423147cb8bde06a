import { hourMs } from '#base/common/durations';
import type { FieldError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
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
    return [{ path: 'originalTxnId', kind: 'required', ...message('activities.requiredOfCancellation') }];
  }
  if (memberID || loyaltyID !== undefined) return [];
  return [{ path: 'memberID', kind: 'required', ...message('activities.memberNeeded') }];
}

/** Checks the line items that a Cancellation names. The original is not known yet. */
export function namedLineFaults({ type, lineItems }: Pick<Activity, 'type' | 'lineItems'>): FieldError[] {
  if (type !== 'Cancellation') return [];
  return lineItems.flatMap(({ _id, itemSKU, productId, quantity }, index) => {
    const path = `lineItems.${index}`;
    if (_id === undefined && itemSKU === undefined && !productId) {
      return [{ path: `${path}._id`, kind: 'required', ...message('returns.whichLineItem') }];
    }
    return quantity === 0 ? [{ path: `${path}.quantity`, kind: 'minimum', ...message('schema.atLeastOne') }] : [];
  });
}

/**
 * Refuses a Cancellation with an empty part. A missing part means everything, so without this check a till that found
 * no line or no value would cancel the whole activity.
 * @param body the Cancellation as sent
 */
export function emptyPartFaults(body: unknown): FieldError[] {
  if (!isPlainObject(body)) return [];
  const { lineItems } = body;
  const ofValue = body.value === null ? [emptyPart('value')] : [];
  if (body.value === 0 && lineItems === undefined) {
    return [{ path: 'value', kind: 'minimum', ...message('schema.atLeastOne') }];
  }
  const isEmpty = lineItems === null || (Array.isArray(lineItems) && lineItems.length === 0);
  if (isEmpty) {
    return [...ofValue, { path: 'lineItems', kind: 'required', ...message('returns.noLineItem') }];
  }
  const lines = Array.isArray(lineItems) ? (lineItems as unknown[]) : [];
  const ofLines = lines.flatMap((line, index) =>
    isPlainObject(line) && line.quantity === null ? [emptyPart(`lineItems.${index}.quantity`)] : [],
  );
  return [...ofValue, ...ofLines];
}

function emptyPart(path: string): FieldError {
  return { path, kind: 'required', ...message('activities.emptyLineItems') };
}

/** How far an activity's date may be in the future. */
const futureMaxMs = 24 * hourMs;

/** The earliest date of an activity: aggregates begin with 1900. */
const dateMin = new Date('1900-01-01T00:00:00.000Z');

function valueFaults(activity: Activity, now: Date): FieldError[] {
  const errors: FieldError[] = [];
  if (activity.date.getTime() > now.getTime() + futureMaxMs) {
    errors.push({ path: 'date', kind: 'date', ...message('activities.tooFarAhead') });
  }
  if (activity.date < dateMin) errors.push({ path: 'date', kind: 'date', ...message('activities.before1900') });
  if (!Number.isSafeInteger(activity.value)) {
    errors.push({
      path: 'value',
      kind: 'maximum',
      ...message('activities.sumTooLarge'),
    });
  }
  if (activity.externalTxnId?.startsWith(ownKeyPrefix)) {
    errors.push({ path: 'externalTxnId', kind: 'pattern', ...message('schema.beginsWith', { prefix: ownKeyPrefix }) });
  }
  activity.lineItems.forEach((item, index) => {
    if (!Number.isSafeInteger(amount(item))) {
      errors.push({
        path: `lineItems.${index}.itemPrice`,
        kind: 'maximum',
        ...message('activities.priceTooLarge'),
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
      const known = message('activities.knownType', { known: [...builtIn[type]].join(', '), type });
      return { path, kind: 'enum', ...(isOwn(word) ? message('activities.serviceOnlyType', { known, value }) : known) };
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
