import assert from 'node:assert';
import { collectionOf } from '#base/db/collections';
import { derivedId } from '#base/db/records';
import { isDuplicateKey, withRetries } from '#base/db/transaction';
import { count, text } from '#base/schema/atoms';
import { defineResource } from '#base/schema/resource';
import type { Request } from '#platform/http/route';

/** The last value of each sequence of an org; `_id` is derived from org and name. */
export const sequenceResource = defineResource({
  name: 'Sequence',
  path: 'sequences',
  isInternal: true,
  fields: { name: text(100), value: count({ description: 'The value given last' }) },
});

/** The value of a sequence before its first use, so the first value given is 2 (SPEC "Pre-processing"). */
const start = 1;

/** Reads the last value that a sequence of an org gave, or {@link start} for an unused sequence. */
export async function sequenceValue(name: string, { services, principal }: Request): Promise<number> {
  const { org } = principal;
  const found = await collectionOf(services.db, sequenceResource).findOne({
    _id: derivedId('sequence', org, name),
    org,
  });
  return found?.value ?? start;
}

/**
 * Takes the next value of a sequence of an org. No value is given twice, also not to simultaneous requests. A request
 * that fails later leaves a gap.
 */
export async function nextInSequence(name: string, { services, principal }: Request): Promise<number> {
  const { db, clock } = services;
  const { org } = principal;
  const take = () =>
    collectionOf(db, sequenceResource).findOneAndUpdate(
      { _id: derivedId('sequence', org, name), org },
      [{ $set: { name: { $literal: name }, value: { $add: [{ $ifNull: ['$value', start] }, 1] } } }],
      { upsert: true, returnDocument: 'after' },
    );
  // Two requests may create the sequence at once. One fails on the unique id, and its next attempt finds the sequence.
  const taken = await withRetries(take, { now: () => clock.now().getTime(), isWorthRetrying: isDuplicateKey });
  assert(taken, 'an upsert answers what it made');
  return taken.value;
}
