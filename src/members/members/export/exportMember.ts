import { Readable } from 'node:stream';
import type { ObjectId } from 'bson';
import { notFound } from '#base/common/errors';
import { collectionOf } from '#base/db/collections';
import { eachInTurns } from '#base/db/readInTurns';
import { requirePresent } from '#members/memberState/readMember';
import type { Backing } from '#platform/infrastructure/backing';
import { memberResource } from '#records/members/member';
import { type MemberSource, memberSources, type Whose } from './memberSources';

/** Records that are read at once. */
const batchSize = 500;

/** What an export reads from. */
type Stores = Pick<Backing, 'db' | 'resources' | 'clock'>;

/**
 * The text of one JSON document with all that is stored about a member and those that were merged into it, by
 * collection. It is made while it is read, so that it may be of any length.
 * @throws ServiceError 1500 when the member is unknown, 1510 when it was merged or erased
 */
export async function exportMember(stores: Stores, org: ObjectId, id: ObjectId): Promise<Readable> {
  const { db, resources, clock } = stores;
  const member = await collectionOf(db, memberResource).findOne({ org, _id: id });
  if (!member) throw notFound('Member');
  await requirePresent(db, member);
  const whose: Whose = { ids: [id, ...member.mergeIds], loyaltyIDs: member.loyaltyIDs };
  return Readable.from(pieces(stores, org, { member: id, exportedAt: clock.now() }, memberSources(resources), whose));
}

async function* pieces(
  { db }: Stores,
  org: ObjectId,
  head: { member: ObjectId; exportedAt: Date },
  sources: readonly MemberSource[],
  whose: Whose,
): AsyncGenerator<string> {
  yield `${JSON.stringify(head).slice(0, -1)},"records":{`;
  for (const [index, source] of sources.entries()) {
    yield `${index === 0 ? '' : ','}\n${JSON.stringify(source.path)}:[`;
    yield* records(db, org, source, whose);
    yield ']';
  }
  yield '}}\n';
}

async function* records(db: Stores['db'], org: ObjectId, { path, about, part }: MemberSource, whose: Whose) {
  const own = new Set(whose.ids.map(String));
  const isOwn = (id: unknown) => own.has(String(id));
  let separator = '\n';
  const found = db.collection(path).find({ org, ...about(whose) });
  for await (const record of eachInTurns(found.sort({ _id: 1 }).batchSize(batchSize))) {
    yield `${separator}${JSON.stringify(part ? part(record, isOwn) : record)}`;
    separator = ',\n';
  }
}
