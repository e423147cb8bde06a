import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { type FieldError, type ServiceError, validationError } from '../../common/errors';
import { mapInTurns } from '../../common/turns';
import { collectionOf } from '../../db/collections';
import {
  type Activity,
  activityBody,
  builtInActivityTypes,
  builtInChannelTypes,
  builtInUnits,
  type LineItem,
  type PostedActivity,
} from '../../records/activities/activity';
import { cancelBody } from '../../records/activities/cancelBody';
import { enumResource } from '../../records/catalog/enumValue';
import type { ExtDefinitions } from '../../records/extensions/extDefinitions';
import { compileParse, type Parse } from '../../schema/parse';
import { parseOrFaults } from '../../schema/parseOrFaults';
import { namedLineFaults } from '../giveBack/returnedLines';
import { checkActivityExt } from './checkActivityExt';
import { legibleActivity } from './legibleActivity';

/** How far ahead of now an activity's date may be. */
export const futureMaxMs = 24 * 3_600_000;

/** The earliest date of an activity: aggregates begin with 1900. */
const dateMin = new Date('1900-01-01T00:00:00.000Z');

const parseBody = compileParse(activityBody);
const parseCancelFields = compileParse(cancelBody);
const parseCancelBody: Parse<PostedActivity> = (body, options) => ({
  ...parseCancelFields(body, options),
  type: 'Cancellation',
});

/** Where and when an activity is parsed: `now` is the default of its date. */
export interface ParseContext {
  db: Connection;
  org: ObjectId;
  now: Date;
  /** The extension fields that the org has defined. */
  extDefinitions: ExtDefinitions;
}

/**
 * Checks a posted activity and fills its defaults (docs/design/activities.md, step 1).
 * @throws ServiceError 1200 naming every failing field
 */
export async function parseActivity(body: unknown, context: ParseContext): Promise<Activity> {
  const [result] = await parseActivities([body], context);
  if (result instanceof Error) throw result;
  return result as Activity;
}

/**
 * Parses many bodies with one look-up of enums, in turns with whatever else the process does; a body at fault gives its
 * error in its place.
 */
export async function parseActivities(bodies: unknown[], context: ParseContext): Promise<(Activity | ServiceError)[]> {
  const read = await mapInTurns(bodies, (body) => readBody(body, parseBody, context.now));
  const words = await mapInTurns(read, ({ activity }) => unknownWords(activity));
  const extended = await loadExtended(words.flat(), context);
  return mapInTurns(read, (each) => checked(each, extended, context, missingFaults(each.activity)));
}

/** An activity as read, and the faults that its schema finds. */
interface Read {
  activity: Activity;
  faults: readonly FieldError[];
}

function readBody(body: unknown, parse: Parse<PostedActivity>, now: Date): Read {
  const parsed = parseOrFaults(() => parse(body, localOffset(body)));
  if ('faults' in parsed) return { activity: legibleActivity(body, now), faults: parsed.faults };
  return { activity: withDefaults(parsed.value, now), faults: [] };
}

/**
 * Checks the key-values of a cancel operation and fills their defaults; its path says what it cancels.
 * @throws ServiceError 1200 naming every failing field
 */
export async function parseCancellation(body: unknown, context: ParseContext): Promise<Activity> {
  const read = readBody(body, parseCancelBody, context.now);
  const activity = { ...read.activity, type: 'Cancellation' };
  const extended = await loadExtended(unknownWords(activity), context);
  const result = checked({ ...read, activity }, extended, context, []);
  if (result instanceof Error) throw result;
  return result;
}

/** A local date without offset is read with the body's `utcOffset`, when that is a valid one. */
function localOffset(body: unknown): { localOffsetMinutes: number } {
  const offset = typeof body === 'object' && body !== null ? (body as { utcOffset?: unknown }).utcOffset : undefined;
  return { localOffsetMinutes: typeof offset === 'number' && Number.isInteger(offset) ? offset : 0 };
}

/** Fills the defaults of a posted activity (docs/design/activities.md, step 1). */
function withDefaults(posted: PostedActivity, now: Date): Activity {
  const lineItems = (posted.lineItems ?? []).map(withAmount);
  const { date = now, value = total(lineItems) } = posted;
  return { date, value, ...posted, lineItems };
}

function withAmount(item: LineItem): LineItem {
  if (item.itemAmount !== undefined || item.itemPrice === undefined) return item;
  return { ...item, itemAmount: amount(item) };
}

function amount({ itemPrice = 0, quantity = 1 }: LineItem): number {
  return itemPrice * quantity;
}

function total(items: LineItem[]): number {
  return items.reduce((sum, { itemPrice = 0, quantity = 1 }) => sum + itemPrice * quantity, 0);
}

type Extended = ReadonlyMap<string, ReadonlySet<string>>;

/** Bounds of what is looked up: no word of an activity is longer, and no request uses more that are not built in. */
const wordMaxLength = 100;
const wordsMax = 10_000;

/** The values that Enums add, read only when some activity uses a value that is not built in. */
async function loadExtended(words: readonly Word[], { db, org }: ParseContext): Promise<Extended> {
  const wanted = [...new Set(words.flatMap(({ value }) => (value.length > wordMaxLength ? [] : [value])))];
  if (wanted.length === 0) return new Map();
  const found = await collectionOf(db, enumResource)
    .find({
      org,
      type: { $in: ['ActivityType', 'ChannelType', 'SalesUOM'] },
      value: { $in: wanted.slice(0, wordsMax) },
    })
    .toArray();
  return groupValues(found);
}

function groupValues(found: { type: string; value: string }[]): Extended {
  const byType = new Map<string, Set<string>>();
  for (const { type, value } of found) {
    const values = byType.get(type) ?? new Set();
    byType.set(type, values.add(value));
  }
  return byType;
}

interface Word {
  type: 'ActivityType' | 'ChannelType' | 'SalesUOM';
  value: string;
  path: string;
}

const builtIn: Record<Word['type'], ReadonlySet<string>> = {
  ActivityType: new Set(builtInActivityTypes),
  ChannelType: new Set(builtInChannelTypes),
  SalesUOM: new Set(builtInUnits),
};

/** The words of an activity that are not built in, so must be values of an Enum. */
function unknownWords(activity: Activity): Word[] {
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

function checked(
  { activity, faults }: Read,
  extended: Extended,
  { now, extDefinitions }: ParseContext,
  missing: readonly FieldError[],
): Activity | ServiceError {
  const { activity: read, faults: extFaults } = checkActivityExt(activity, extDefinitions);
  // Of lines at fault nothing may be left to look at.
  const lines = faults.length > 0 ? [] : namedLineFaults(activity);
  const others = [...wordFaults(activity, extended), ...valueFaults(activity, now), ...missing, ...lines, ...extFaults];
  const known = new Set(faults.map(({ path }) => path));
  // A body that is no object has no fields that could be wrong.
  const errors = known.has('') ? faults : [...faults, ...others.filter(({ path }) => !known.has(path))];
  return errors.length === 0 ? read : validationError([...errors]);
}

function wordFaults(activity: Activity, extended: Extended): FieldError[] {
  return unknownWords(activity)
    .filter(({ type, value }) => !extended.get(type)?.has(value))
    .map(({ type, path }) => ({
      path,
      kind: 'enum',
      message: `must be one of ${[...builtIn[type]].join(', ')}, or a value of an Enum of type ${type}`,
    }));
}

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

function missingFaults({ type, originalTxnId, memberID, loyaltyID }: Activity): FieldError[] {
  if (type === 'Cancellation') {
    if (originalTxnId) return [];
    return [{ path: 'originalTxnId', kind: 'required', message: 'is required for a Cancellation' }];
  }
  if (memberID || loyaltyID !== undefined) return [];
  return [{ path: 'memberID', kind: 'required', message: 'memberID or loyaltyID is required' }];
}
