import type { TProperties } from '@sinclair/typebox';
import { ServiceError } from '#base/common/errors';
import type { Doc } from '#base/schema/resource';
import type { RecordWrites } from '#platform/recordWrites/recordWrites';
import type { ImportContext, Outcome } from './importKind';

/** Tells what a row would change in a record, and writes nothing. */
export function checkOne<P extends TProperties, B>(
  context: ImportContext,
  writes: RecordWrites<P, B>,
  previous: Doc<P>,
  body: object,
): Promise<Outcome> {
  return outcomeOrError(async () => ((await writes.checkUpdate(context, previous, body)) ? 'updated' : 'unchanged'));
}

/** Tells whether a row may create a record, and writes nothing. */
export function checkNew<P extends TProperties, B>(
  context: ImportContext,
  writes: RecordWrites<P, B>,
  body: B,
): Promise<Outcome> {
  return outcomeOrError(async () => {
    await writes.checkCreate(context, body);
    return 'created';
  });
}

/** The outcome of a check. @throws errors other than refusals, such as those of a store that is unavailable */
export async function outcomeOrError(check: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await check();
  } catch (error) {
    if (error instanceof ServiceError && error.reason !== 'unavailable') return error;
    throw error;
  }
}
