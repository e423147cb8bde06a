import assert from 'node:assert';
import { collectionOf } from '../db/collections';
import { derivedId } from '../db/records';
import { isDuplicateKey, withRetries } from '../db/transaction';
import type { Request } from '../http/route';
import { count, text } from '../schema/atoms';
import { defineResource } from '../schema/resource';

/** Where the sequences of an org stand; `_id` is derived from org and name. */
export const sequenceResource = defineResource({
  name: 'Sequence',
  path: 'sequences',
  isInternal: true,
  fields: { name: text(100), value: count({ description: 'The value given last' }) },
});

/** A sequence stands here before its first value is taken, so the first is 2 (SPEC "Pre-processing"). */
const start = 1;

/** Where a sequence of an org stands: the value given last, or what stands before its first. */
export async function sequenceValue(name: string, { services, principal }: Request): Promise<number> {
  const { org } = principal;
  const found = await collectionOf(services.db, sequenceResource).findOne({
    _id: derivedId('sequence', org, name),
    org,
  });
  return found?.value ?? start;
}

/**
 * Takes the next value of an org's sequence: never the same twice, whoever asks at once. A request that fails later
 * leaves a gap.
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
  // Two that make the sequence at once meet in its id; the second finds it there.
  const taken = await withRetries(take, { now: () => clock.now().getTime(), isWorthRetrying: isDuplicateKey });
  assert(taken, 'an upsert answers what it made');
  return taken.value;
}
