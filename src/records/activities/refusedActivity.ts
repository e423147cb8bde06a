import { Type } from '@sinclair/typebox';
import type { ObjectId } from 'bson';
import { dayMs } from '#base/common/durations';
import { count, identifier, instant, list, objectId, text } from '#base/schema/atoms';
import { type DocOf, defineResource } from '#base/schema/resource';
import type { ImportedRow } from '#records/imports/importError';
import { type Activity, postedFields } from './activity';
import { type ProcessingError, processingError } from './activityHistory';

const optional = Type.Optional;

/** How long a refused activity is kept, in days. */
const refusedKeptDays = 180;

/**
 * Activities that were accepted for later processing and then refused, mostly because their member does not exist. They
 * have no history, because a history needs a member (decision 128). Support finds here why they were refused, by the
 * number, the card or the submission. A record is written in the commit that refuses the activity, and never updated.
 */
export const refusedActivityResource = defineResource({
  name: 'RefusedActivity',
  path: 'refusedactivities',
  access: 'ledger',
  tag: 'Activities',
  fields: {
    externalTxnId: identifier(255, { description: 'As posted, or as the service made it' }),
    type: postedFields.type,
    date: instant({ description: 'When it occurred' }),
    value: optional(count()),
    currencyCode: optional(text(10)),
    loyaltyID: optional(identifier(100, { description: 'As posted; there may be no such member' })),
    memberID: optional(objectId('Member', { description: 'As posted; there may be no such member' })),
    // These are not references: an activity without effect must not keep the records that it named from being deleted.
    program: optional(objectId(undefined, { description: 'As posted' })),
    originalTxnId: optional(objectId(undefined, { description: 'Of a cancellation: the activity to cancel' })),
    locationId: optional(objectId(undefined, { description: 'As posted' })),
    srcChannelType: postedFields.srcChannelType,
    srcChannelID: postedFields.srcChannelID,
    partnerCode: postedFields.partnerCode,
    errors: list(processingError, 100, { description: 'Why it was refused, as in result.errors of a post' }),
    import: optional(objectId(undefined, { description: 'The import that it came with' })),
    line: optional(count({ description: 'Its line in the file of the import' })),
    keptUntil: instant(),
  },
  hidden: ['keptUntil'],
  indexes: [
    { keys: { org: 1, externalTxnId: 1 } },
    { keys: { org: 1, loyaltyID: 1 }, where: { loyaltyID: { $exists: true } } },
    { keys: { org: 1, memberID: 1 }, where: { memberID: { $exists: true } } },
    { keys: { keptUntil: 1 }, expireAfterSeconds: 0 },
  ],
});

type RefusedActivity = DocOf<typeof refusedActivityResource>;

interface Refused {
  key: string;
  errors: ProcessingError[];
  activity: Activity;
  original?: ObjectId | undefined;
  row?: ImportedRow | undefined;
}

/** What is stored of a refused activity, without stamps. Its free fields and its payment are left out. */
export function buildRefusedActivity(
  id: ObjectId,
  { key, errors, activity, original, row }: Refused,
): Omit<RefusedActivity, '_id' | 'org' | 'createdAt' | 'updatedAt' | 'createdBy' | 'updatedBy'> {
  const { type, date, value, currencyCode, loyaltyID, memberID, program, locationId } = activity;
  const { srcChannelType, srcChannelID, partnerCode } = activity;
  // An id begins with the second in which it was made by the machine's clock, also in an org with a clock of its own.
  const keptUntil = new Date(id.getTimestamp().getTime() + refusedKeptDays * dayMs);
  return {
    externalTxnId: key,
    type,
    date,
    errors,
    keptUntil,
    ...(value === undefined ? {} : { value }),
    ...(currencyCode === undefined ? {} : { currencyCode }),
    ...(loyaltyID === undefined ? {} : { loyaltyID }),
    ...(memberID ? { memberID } : {}),
    ...(program ? { program } : {}),
    ...(original ? { originalTxnId: original } : {}),
    ...(locationId ? { locationId } : {}),
    ...(srcChannelType === undefined ? {} : { srcChannelType }),
    ...(srcChannelID === undefined ? {} : { srcChannelID }),
    ...(partnerCode === undefined ? {} : { partnerCode }),
    ...(row ? { import: row.import, line: row.line } : {}),
  };
}
