import { Readable } from 'node:stream';
import type { ObjectId } from 'bson';
import { notFound } from '#base/common/errors';
import { collectionOf } from '#base/db/collections';
import { eachYielding } from '#base/db/readYielding';
import { requirePresent } from '#members/memberState/readMember';
import type { Infrastructure } from '#platform/infrastructure/infrastructure';
import { memberResource } from '#records/members/member';
import { type MemberIds, type MemberSource, memberSources } from './memberSources';

/** Records in one batch of the cursor. */
const batchSize = 500;

/** What an export reads from. */
type Stores = Pick<Infrastructure, 'db' | 'resources' | 'clock'>;

/**
 * One JSON document with everything stored about a member and the members merged into it, by collection. It is a
 * stream, so that it may have any length.
 * @throws ServiceError 1500 when the member is unknown, 1510 when it was merged or erased
 */
export async function exportMember(stores: Stores, org: ObjectId, id: ObjectId): Promise<Readable> {
  const { db, resources, clock } = stores;
  const member = await collectionOf(db, memberResource).findOne({ org, _id: id });
  if (!member) throw notFound('Member');
  await requirePresent(db, member);
  const memberIds: MemberIds = { ids: [id, ...member.mergeIds], loyaltyIDs: member.loyaltyIDs };
  return Readable.from(
    jsonChunks(stores, org, { member: id, exportedAt: clock.now() }, memberSources(resources), memberIds),
  );
}

async function* jsonChunks(
  { db }: Stores,
  org: ObjectId,
  head: { member: ObjectId; exportedAt: Date },
  sources: readonly MemberSource[],
  memberIds: MemberIds,
): AsyncGenerator<string> {
  yield `${JSON.stringify(head).slice(0, -1)},"records":{`;
  for (const [index, source] of sources.entries()) {
    yield `${index === 0 ? '' : ','}\n${JSON.stringify(source.path)}:[`;
    yield* recordChunks(db, org, source, memberIds);
    yield ']';
  }
  yield '}}\n';
}

async function* recordChunks(
  db: Stores['db'],
  org: ObjectId,
  { path, about, part }: MemberSource,
  memberIds: MemberIds,
) {
  const own = new Set(memberIds.ids.map(String));
  const isOwn = (id: unknown) => own.has(String(id));
  let separator = '\n';
  const found = db.collection(path).find({ org, ...about(memberIds) });
  for await (const record of eachYielding(found.sort({ _id: 1 }).batchSize(batchSize))) {
    yield `${separator}${JSON.stringify(part ? part(record, isOwn) : record)}`;
    separator = ',\n';
  }
}
