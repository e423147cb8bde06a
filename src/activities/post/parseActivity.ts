import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { type FieldError, type ServiceError, validationError } from '#base/common/errors';
import { mapYielding } from '#base/common/yielding';
import { modelOf } from '#base/db/collections';
import type { Request } from '#platform/http/route';
import type { Activity } from '#records/activities/activity';
import { type Extended, unknownWords, type Word } from '#records/activities/activityFaults';
import { activityHistoryResource } from '#records/activities/activityHistory';
import { checkedActivity, type ReadActivity, readCancel, readPosted } from '#records/activities/readActivity';
import { enumResource } from '#records/catalog/enumValue';
import type { ExtDefinitions } from '#records/extensions/extDefinitions';
import { itemModels } from '#records/extensions/extModels';

/** What parsing an activity needs. `now` is the default of its date. */
interface ParseContext {
  db: Connection;
  org: ObjectId;
  now: Date;
  /** The extension fields that the org has defined. */
  extDefinitions: ExtDefinitions;
}

/** The context for parsing the activities of an HTTP request. */
export async function loadParseContext(
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
  return parseOne(readPosted(body, context.now), context);
}

/**
 * Parses many bodies with one query for Enums. It pauses regularly, so that other requests of the process continue.
 * @returns for each body its activity, or the error that names its faults
 */
export async function parseActivities(bodies: unknown[], context: ParseContext): Promise<(Activity | ServiceError)[]> {
  const read = await mapYielding(bodies, (body) => readPosted(body, context.now));
  const words = await mapYielding(read, ({ activity }) => unknownWords(activity));
  const extended = await loadExtended(words.flat(), context);
  return mapYielding(read, (each) => checked(each, extended, context));
}

/**
 * Checks the body of a cancel and fills its defaults. The path of the cancel names the original.
 * @throws ServiceError 1200 naming every failing field
 */
export async function parseCancellation(body: unknown, context: ParseContext): Promise<Activity> {
  return parseOne(readCancel(body, context.now), context);
}

async function parseOne(read: ReadActivity, context: ParseContext): Promise<Activity> {
  const extended = await loadExtended(unknownWords(read.activity), context);
  const result = checked(read, extended, context);
  if (result instanceof Error) throw result;
  return result;
}

function checked(
  read: ReadActivity,
  extended: Extended,
  { now, extDefinitions }: ParseContext,
): Activity | ServiceError {
  const checkExt = (activity: Activity) => checkActivityExt(activity, extDefinitions);
  const { activity, faults } = checkedActivity(read, { now, extended, checkExt });
  return faults.length === 0 ? activity : validationError([...faults]);
}

/** Checks the extension fields of an activity and its items against their definitions, and parses their dates. */
function checkActivityExt(
  activity: Activity,
  definitions: ExtDefinitions,
): { activity: Activity; faults: FieldError[] } {
  const options = { isNew: true, localOffsetMinutes: activity.utcOffset ?? 0 };
  const { ext, faults } = definitions.check(activityHistoryResource.name, activity.ext, options);
  const checkItems = <T extends Pick<Activity, 'ext'>>(field: keyof typeof itemModels, items: readonly T[]): T[] =>
    items.map((item, index) => {
      const checked = definitions.check(itemModels[field], item.ext, { ...options, path: `${field}.${index}.ext` });
      faults.push(...checked.faults);
      return withExt(item, checked.ext);
    });
  const { tenderItems } = activity;
  const items = {
    lineItems: checkItems('lineItems', activity.lineItems),
    ...(tenderItems && { tenderItems: checkItems('tenderItems', tenderItems) }),
  };
  return { activity: withExt({ ...activity, ...items }, ext), faults };
}

function withExt<T extends Pick<Activity, 'ext'>>(carrier: T, ext: Activity['ext']): T {
  return ext === undefined || ext === carrier.ext ? carrier : { ...carrier, ext };
}

/** Longer words are not looked up: no value of an Enum is longer. */
const wordMaxLength = 100;

/** Most words that one query looks up. */
const wordsMax = 10_000;

/** Reads which of the words are values of an Enum. Without words it runs no query. */
async function loadExtended(words: readonly Word[], { db, org }: { db: Connection; org: ObjectId }): Promise<Extended> {
  const wanted = [...new Set(words.flatMap(({ value }) => (value.length > wordMaxLength ? [] : [value])))];
  if (wanted.length === 0) return new Map();
  const found = await modelOf(db, enumResource)
    .find({
      org,
      type: { $in: ['ActivityType', 'ChannelType', 'SalesUOM'] },
      value: { $in: wanted.slice(0, wordsMax) },
    })
    .lean();
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
