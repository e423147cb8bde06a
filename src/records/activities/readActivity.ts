import type { FieldError } from '#base/common/errors';
import { isPlainObject } from '#base/common/plainObject';
import { parseInstant } from '#base/schema/instant';
import { compileWithoutNulls } from '#base/schema/nulls';
import { compileParse, type Parse, parseOrFaults } from '#base/schema/parse';
import { type Activity, activityBody, type LineItem, type PostedActivity } from './activity';
import {
  activityFaults,
  amount,
  type Extended,
  emptyPartFaults,
  missingFaults,
  namedLineFaults,
} from './activityFaults';
import { cancelBody } from './cancelBody';

const parseBody = compileParse(activityBody);

/** A cancel has the same fields. */
const withoutNulls = compileWithoutNulls(activityBody);

const parseCancelFields = compileParse(cancelBody);

const parseCancelBody: Parse<PostedActivity> = (body, options) => ({
  ...parseCancelFields(body, options),
  type: 'Cancellation',
});

/** An activity as read, and the faults that its schema finds. */
export interface ReadActivity {
  activity: Activity;
  faults: readonly FieldError[];
  /** Faults of what it needs and does not have: the member or, for a Cancellation, the original. */
  missing: readonly FieldError[];
}

/** Reads the body of a posted activity and fills its defaults. `now` is the default of its date. */
export function readPosted(body: unknown, now: Date): ReadActivity {
  const read = readBody(body, parseBody, now);
  const empty = read.activity.type === 'Cancellation' ? emptyPartFaults(body) : [];
  return { ...read, missing: [...missingFaults(read.activity), ...empty] };
}

/** Reads the body of a cancel and fills its defaults. The path of the cancel names the original. */
export function readCancel(body: unknown, now: Date): ReadActivity {
  const { activity, faults } = readBody(body, parseCancelBody, now);
  return { activity: { ...activity, type: 'Cancellation' }, faults, missing: emptyPartFaults(body) };
}

function readBody(sent: unknown, parse: Parse<PostedActivity>, now: Date): Omit<ReadActivity, 'missing'> {
  const body = withoutNulls(sent);
  const parsed = parseOrFaults(() => parse(body, localOffset(body)));
  if ('faults' in parsed) return { activity: lenientActivity(body, now), faults: parsed.faults };
  return { activity: withDefaults(parsed.value, now), faults: [] };
}

/** Fills the defaults of a posted activity (docs/design/activities.md, step 1). */
function withDefaults(posted: PostedActivity, now: Date): Activity {
  const lineItems = (posted.lineItems ?? []).map(withAmount);
  const { date = now, value = total(lineItems) } = posted;
  const activity = { date, value, ...posted, lineItems };
  return posted.type === 'Cancellation' ? activity : withItemIds(activity);
}

/** Gives an id to each line and tender item that has none. Lines of a Cancellation refer to lines of its original. */
function withItemIds(activity: Activity): Activity {
  const { lineItems, tenderItems } = activity;
  return {
    ...activity,
    lineItems: identified(lineItems),
    ...(tenderItems && { tenderItems: identified(tenderItems) }),
  };
}

/** Gives each item without an id its position, from 1, as its id, or the next number that no other item has. */
function identified<T extends { _id?: string }>(items: readonly T[]): T[] {
  const taken = new Set(items.flatMap(({ _id }) => _id ?? []));
  return items.map((item, index) => {
    if (item._id !== undefined) return item;
    let number = index + 1;
    while (taken.has(String(number))) number += 1;
    taken.add(String(number));
    return { ...item, _id: String(number) };
  });
}

function withAmount(item: LineItem): LineItem {
  if (item.itemAmount !== undefined || item.itemPrice === undefined) return item;
  return { ...item, itemAmount: amount(item) };
}

function total(items: LineItem[]): number {
  return items.reduce((sum, { itemPrice = 0, quantity = 1 }) => sum + itemPrice * quantity, 0);
}

/** The offset in minutes for local dates: the body's `utcOffset` when it is an integer, else 0. */
function localOffset(body: unknown): { localOffsetMinutes: number } {
  const offset = typeof body === 'object' && body !== null ? (body as { utcOffset?: unknown }).utcOffset : undefined;
  return { localOffsetMinutes: typeof offset === 'number' && Number.isInteger(offset) ? offset : 0 };
}

/** What the check of a read activity needs. */
export interface ActivityChecks {
  now: Date;
  /** The words that Enums add to the built-in ones. */
  extended: Extended;
  /** Checks the extension fields and reads their dates. When it is absent, they stay as sent. */
  checkExt?(activity: Activity): { activity: Activity; faults: FieldError[] };
}

/** Checks a read activity. The result has dates in its extension fields, or every failing field. */
export function checkedActivity(
  { activity, faults, missing }: ReadActivity,
  { now, extended, checkExt }: ActivityChecks,
): { activity: Activity; faults: readonly FieldError[] } {
  const { activity: read, faults: extFaults } = checkExt?.(activity) ?? { activity, faults: [] };
  // When the schema refuses the body, `lenientActivity` leaves out `_id` and `itemSKU` of its lines.
  const lines = faults.length > 0 ? [] : namedLineFaults(activity);
  const others = [...activityFaults(activity, extended, now), ...missing, ...lines, ...extFaults];
  const known = new Set(faults.map(({ path }) => path));
  // The path '' means that the body is no object: it has no fields to report.
  const errors = known.has('') ? faults : [...faults, ...others.filter(({ path }) => !known.has(path))];
  return { activity: read, faults: errors };
}

/**
 * Reads what it can from a posted body that the schema refuses, so that the answer names the other faults too. It
 * leaves out a field of the wrong type, or puts a valid default in its place.
 */
function lenientActivity(body: unknown, now: Date): Activity {
  const sent = isPlainObject(body) ? body : {};
  const { date, value, utcOffset } = sent;
  const offset = Number.isInteger(utcOffset) ? Number(utcOffset) : 0;
  return {
    ...pickTexts(sent, ['type', 'srcChannelType', 'loyaltyID', 'memberID', 'originalTxnId']),
    ...pickExt(sent),
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
    ...pickTexts(sent, ['itemUOM']),
    ...pickExt(sent),
    ...(typeof itemPrice === 'number' ? { itemPrice } : {}),
    ...(typeof quantity === 'number' ? { quantity } : {}),
  };
}

function pickTexts(sent: Record<string, unknown>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (typeof sent[name] === 'string' ? [[name, sent[name]]] : [])));
}

function pickExt({ ext }: Record<string, unknown>): Pick<LineItem, 'ext'> {
  return isPlainObject(ext) ? { ext } : {};
}
