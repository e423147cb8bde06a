import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { type FieldError, type ServiceError, validationError } from '../../common/errors';
import { mapInTurns } from '../../common/turns';
import type { Request } from '../../http/route';
import { type Activity, activityBody, type LineItem, type PostedActivity } from '../../records/activities/activity';
import { cancelBody } from '../../records/activities/cancelBody';
import type { ExtDefinitions } from '../../records/extensions/extDefinitions';
import { compileWithoutNulls } from '../../schema/nulls';
import { compileParse, type Parse, parseOrFaults } from '../../schema/parse';
import {
  activityFaults,
  amount,
  checkActivityExt,
  type Extended,
  loadExtended,
  missingFaults,
  namedLineFaults,
  unknownWords,
} from './activityFaults';
import { legibleActivity } from './legibleActivity';

const parseBody = compileParse(activityBody);

/** A cancel has the same fields. */
const withoutNulls = compileWithoutNulls(activityBody);

const parseCancelFields = compileParse(cancelBody);

const parseCancelBody: Parse<PostedActivity> = (body, options) => ({
  ...parseCancelFields(body, options),
  type: 'Cancellation',
});

/** What parsing an activity needs. `now` is the default of its date. */
interface ParseContext {
  db: Connection;
  org: ObjectId;
  now: Date;
  /** The extension fields that the org has defined. */
  extDefinitions: ExtDefinitions;
}

/** The context for parsing the activities of an HTTP request. */
export async function parseContextOf(
  { services, principal }: Pick<Request, 'services' | 'principal'>,
  now: Date,
): Promise<ParseContext> {
  const { db, extDefinitions } = services;
  const { org, versions } = principal;
  return { db, org, now, extDefinitions: await extDefinitions.current(org, versions?.definitionsVersion) };
}

/**
 * Checks a posted activity and fills its defaults (docs/design/activities.md, step 1).
 * @throws ServiceError 1200 naming every failing field
 */
export async function parseActivity(body: unknown, context: ParseContext): Promise<Activity> {
  const read = readBody(body, parseBody, context.now);
  return parseOne(read, context, missingFaults(read.activity));
}

/**
 * Parses many bodies with one query for Enums. It pauses regularly, so that other requests of the process go on.
 * @returns for each body its activity, or the error that names its faults
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

function readBody(sent: unknown, parse: Parse<PostedActivity>, now: Date): Read {
  const body = withoutNulls(sent);
  const parsed = parseOrFaults(() => parse(body, localOffset(body)));
  if ('faults' in parsed) return { activity: legibleActivity(body, now), faults: parsed.faults };
  return { activity: withDefaults(parsed.value, now), faults: [] };
}

/**
 * Checks the body of a cancel and fills its defaults. The path of the cancel names the original.
 * @throws ServiceError 1200 naming every failing field
 */
export async function parseCancellation(body: unknown, context: ParseContext): Promise<Activity> {
  const read = readBody(body, parseCancelBody, context.now);
  return parseOne({ ...read, activity: { ...read.activity, type: 'Cancellation' } }, context, []);
}

async function parseOne(read: Read, context: ParseContext, missing: readonly FieldError[]): Promise<Activity> {
  const extended = await loadExtended(unknownWords(read.activity), context);
  const result = checked(read, extended, context, missing);
  if (result instanceof Error) throw result;
  return result;
}

/** The offset in minutes for local dates: the body's `utcOffset` when it is an integer, else 0. */
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

function total(items: LineItem[]): number {
  return items.reduce((sum, { itemPrice = 0, quantity = 1 }) => sum + itemPrice * quantity, 0);
}

function checked(
  { activity, faults }: Read,
  extended: Extended,
  { now, extDefinitions }: ParseContext,
  missing: readonly FieldError[],
): Activity | ServiceError {
  const { activity: read, faults: extFaults } = checkActivityExt(activity, extDefinitions);
  // When the schema refuses the body, `legibleActivity` leaves out `_id` and `itemSKU` of its lines.
  const lines = faults.length > 0 ? [] : namedLineFaults(activity);
  const others = [...activityFaults(activity, extended, now), ...missing, ...lines, ...extFaults];
  const known = new Set(faults.map(({ path }) => path));
  // The path '' means that the body is no object: it has no fields to report.
  const errors = known.has('') ? faults : [...faults, ...others.filter(({ path }) => !known.has(path))];
  return errors.length === 0 ? read : validationError([...errors]);
}
