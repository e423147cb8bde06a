import { Type } from '@sinclair/typebox';
import type { Timestamp } from 'bson';
import { anyValue, count, instant, list, oneOf, record, text } from '../../schema/atoms';
import { type DocOf, defineResource } from '../../schema/resource';
import { processingError } from './activityHistory';

/**
 * Submissions: a keyed or asynchronous activity as accepted. Durable and unique by (org, key), so that
 * one key has one effect; its history has the same id, so that it can only be written once. Not reachable as a collection.
 */
export const submissionResource = defineResource({
  name: 'Submission',
  path: 'submissions',
  isInternal: true,
  fields: {
    key: text(255, { description: 'externalTxnId, or the Idempotency-Key' }),
    hash: Type.String({ description: 'SHA-256 of the body as sent, keys sorted, and the route' }),
    status: oneOf(['Queued', 'Processed', 'Error']),
    /** What was asked, as sent; only while it waits. */
    request: Type.Optional(anyValue()),
    /** Outcome of a submission that made no history. */
    outcome: Type.Optional(record({ errors: list(processingError, 100) })),
    /** Submissions of one member share a partition, and a partition is worked off in the order of acceptance. */
    partition: Type.Optional(count()),
    acceptedAt: instant(),
    /**
     * The order of acceptance. The server sets it when it stores one that is queued, by the one clock of all its members:
     * those of the processes that accept may differ by minutes.
     */
    place: Type.Optional(Type.Unsafe<Timestamp>(anyValue())),
    attempts: count(),
    /** Set for keys that came as a header only; the record is deleted then. */
    expiresAt: Type.Optional(instant()),
  },
  indexes: [
    { keys: { org: 1, key: 1 }, unique: true },
    { keys: { partition: 1, place: 1, acceptedAt: 1, _id: 1 }, where: { status: 'Queued' } },
    { keys: { expiresAt: 1 }, where: { expiresAt: { $exists: true } }, expireAfterSeconds: 0 },
  ],
});

export type Submission = DocOf<typeof submissionResource>;

/** Days an Idempotency-Key is remembered. */
export const idempotencyKeyDays = 30;
