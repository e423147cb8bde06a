import type { ObjectId } from 'bson';
import type { ClientSession } from 'mongoose';
import { notFound } from '#base/common/errors';
import { collectionOf } from '#base/db/collections';
import { type Author, distinctIds } from '#base/db/records';
import { wantedInForce } from '#members/occasions/wantedOccasions';
import { loadTierSums } from '#members/tiers/loadTierSums';
import type { Infrastructure } from '#platform/infrastructure/infrastructure';
import type { OrgVersions } from '#platform/orgs/orgVersions';
import { loadProgramCatalog } from '#programs/programs/programCatalog';
import { memberResource } from '#records/members/member';
import { type MemberState, openMembers } from './memberState';
import { findSurvivor, loadLiveLots, withSurvivors } from './readMember';

interface Reading {
  session: ClientSession;
  now: Date;
  /** Filters for further lots to read. */
  also?: readonly Record<string, unknown>[];
}

/**
 * Reads members in a transaction and opens their states, so that their ledgers can be changed without activities. For a
 * merged member it opens the state of its survivor.
 * @returns the states by the hexadecimal ids of `members`
 * @throws ServiceError 1500 when a member or its program is unknown
 */
export async function openForChange(
  { db, ruleSets }: Pick<Infrastructure, 'db' | 'ruleSets'>,
  author: Author & { versions?: OrgVersions },
  members: readonly ObjectId[],
  { session, now, also = [] }: Reading,
): Promise<Map<string, MemberState>> {
  const { org } = author;
  const distinct = distinctIds(members);
  const read = await collectionOf(db, memberResource)
    .find({ org, _id: { $in: distinct } }, { session })
    .toArray();
  const all = new Map((await withSurvivors(db, org, read)).map((doc) => [doc._id.toHexString(), doc]));
  const survivors = distinct.map((id) =>
    findSurvivor(
      id.toHexString(),
      (hex) => all.get(hex),
      (doc) => doc,
    ),
  );
  const docs = new Map(survivors.flatMap((doc) => (doc ? [[doc._id.toHexString(), doc] as const] : [])));
  const merged = [...docs.values()].flatMap(({ _id, mergeIds }) =>
    mergeIds.map((id) => [id.toHexString(), _id] as const),
  );
  const catalog = await loadProgramCatalog(db, org);
  const ids = [...docs.values()].map(({ _id }) => _id);
  const lots = await loadLiveLots(db, org, ids, { also, survivors: new Map(merged), session });
  const sums = await loadTierSums(db, { org, members: [...docs.values()], catalog, now });
  const wanted = await wantedInForce({ db, ruleSets }, author, now);
  const states = openMembers([...docs.values()], catalog, { lots, sums }, now, wanted);
  return new Map(
    distinct.map((id, index) => {
      const survivor = survivors[index];
      if (!survivor) throw notFound('Member');
      const state = states.get(survivor._id.toHexString());
      if (!state) throw notFound('Program');
      return [id.toHexString(), state];
    }),
  );
}
