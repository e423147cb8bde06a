import { Type } from '@sinclair/typebox';
import type { Timestamp } from 'bson';
import { errorCodes } from '#base/common/errors';
import { anyValue, count, instant, list, oneOf, record, text } from '#base/schema/atoms';
import { type DocOf, defineResource } from '#base/schema/resource';
import { processingError } from './activityHistory';

/**
 * Submissions: accepted requests with a key or for later processing. A submission is unique by (org, key), so that one
 * key has one effect. Its history has the same id, so that the history can only be written once. Submissions cannot be
 * listed over HTTP.
 */
export const submissionResource = defineResource({
  name: 'Submission',
  path: 'submissions',
  isInternal: true,
  fields: {
    key: text(255, { description: 'externalTxnId, or the Idempotency-Key' }),
    hash: Type.String({ description: 'SHA-256 of the body as sent, keys sorted, and the route' }),
    status: oneOf(['Queued', 'Processed', 'Error']),
    /** The request as sent; only while the submission waits. */
    request: Type.Optional(anyValue()),
    /** The outcome of a submission that has no history. */
    outcome: Type.Optional(record({ errors: list(processingError, 100) })),
    /** Submissions of one member are in the same partition. A partition is processed in the order of acceptance. */
    partition: Type.Optional(count()),
    acceptedAt: instant(),
    /**
     * The order of acceptance. MongoDB sets it when it stores a queued submission, by the cluster clock. The clocks of
     * the accepting processes may differ by minutes.
     */
    place: Type.Optional(Type.Unsafe<Timestamp>(anyValue())),
    attempts: count(),
    /** When the record is deleted; only set for keys from the Idempotency-Key header. */
    expiresAt: Type.Optional(instant()),
  },
  indexes: [
    { keys: { org: 1, key: 1 }, unique: true },
    { keys: { partition: 1, place: 1, acceptedAt: 1, _id: 1 }, where: { status: 'Queued' } },
    { keys: { expiresAt: 1 }, where: { expiresAt: { $exists: true } }, expireAfterSeconds: 0 },
  ],
});

export type Submission = DocOf<typeof submissionResource>;

/**
 * Tells whether a submission has left its key free. It named a record that did not exist, so it had no effect and may
 * be posted again once the record exists. Only submissions without a history have an outcome.
 */
export function hasFreeKey({ status, outcome }: Pick<Submission, 'status' | 'outcome'>): boolean {
  return status === 'Error' && outcome?.errors.some(({ code }) => code === errorCodes.notFound.code) === true;
}
