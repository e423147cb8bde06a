import type { Connection } from 'mongoose';
import { validationError } from '#base/common/errors';
import { type Message, message } from '#base/common/messages/message';
import { collectionOf } from '#base/db/collections';
import { isTooSlow } from '#base/db/transaction';
import { currencyFault } from '#base/schema/currencies';
import type { CompanionWrite } from '#platform/orgs/writeRecord';
import type { OrgContext } from '#platform/recordWrites/writeContext';
import { activityHistoryResource } from '#records/activities/activityHistory';
import { archiveVolumeResource } from '#records/archives/archiveVolume';
import { type Program, programCurrency, programResource } from '#records/programs/program';

/**
 * Refuses another currency for a program in which amounts were recorded, because amounts of both currencies would be
 * added up. The currency may be cleared: the program then remembers the currency of its amounts.
 * @returns undefined when the currency does not change; otherwise a write for the update's transaction, which throws
 *   ServiceError 1200, kind `inUse`
 */
export function requireCurrencyKept(
  previous: Program,
  fields: Partial<Program>,
  { services: { db } }: OrgContext,
): CompanionWrite | undefined {
  if (!('currencyCode' in fields)) return undefined;
  const { currencyCode: next } = fields;
  const kept = programCurrency(previous);
  // What is no currency was stored by an earlier version.
  if (kept === undefined || kept === next || currencyFault(kept) !== undefined) return undefined;
  const { _id, org } = previous;
  return async (session) => {
    if (await hasAmounts(db, previous)) {
      if (next) throw validationError([{ path: 'currencyCode', kind: 'inUse', ...keptMessage(kept) }]);
      await collectionOf(db, programResource).updateOne({ _id, org }, { $set: { amountsIn: kept } }, { session });
    } else {
      await collectionOf(db, programResource).updateOne({ _id, org }, { $unset: { amountsIn: '' } }, { session });
    }
  };
}

function keptMessage(kept: string): Message {
  return message('programs.currencyKept', { currency: kept });
}

/** How long the first activity of a program may be searched for, in milliseconds. */
const searchMs = 2000;

/**
 * Tells whether activities of a program have amounts, in the database or in the archive. One that is not found in time may
 * be there, and so may one in a volume of an earlier version, which did not say.
 */
async function hasAmounts(db: Connection, { _id, org }: Program): Promise<boolean> {
  const volumes = { org, kind: { $in: [null, 'histories'] }, removed: { $gt: 0 } };
  const inArchive = { ...volumes, $or: [{ amountsOf: _id }, { amountsOf: { $exists: false } }] };
  if (await db.collection(archiveVolumeResource.path).findOne(inArchive, { projection: { _id: 1 } })) return true;
  const filter = { org, program: _id, value: { $gt: 0 } };
  try {
    const options = { projection: { _id: 1 }, maxTimeMS: searchMs } as const;
    return (await collectionOf(db, activityHistoryResource).findOne(filter, options)) !== null;
  } catch (error) {
    if (isTooSlow(error)) return true;
    throw error;
  }
}
