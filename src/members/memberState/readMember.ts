import assert from 'node:assert';
import type { ObjectId } from 'bson';
import type { ClientSession, Connection } from 'mongoose';
import { notFound, ServiceError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { collectionOf } from '#base/db/collections';
import { type Member, memberResource } from '#records/members/member';
import { accrualItemResource } from '#records/points/accrualItem';
import type { Lot } from '#records/points/lot';

/**
 * Reads a member of an org.
 * @throws ServiceError 1500 when it is unknown; 1510 when it was erased or merged, with the survivor in `mergedInto`
 */
export async function readMember(db: Connection, org: ObjectId, id: ObjectId): Promise<Member> {
  const member = await collectionOf(db, memberResource).findOne({ org, _id: id });
  if (!member) throw notFound('Member');
  await requirePresent(db, member);
  return member;
}

/**
 * Refuses a member that was merged or erased.
 * @throws ServiceError 1510; for a merged member, `mergedInto` is the survivor of all merges
 */
export async function requirePresent(
  db: Connection,
  member: Pick<Member, 'org' | '_id' | 'status' | 'mergedInto'>,
): Promise<void> {
  requireNotErased(member);
  if (member.status !== 'Merged') return;
  const survivor = await finalSurvivor(db, member.org, member._id);
  throw new ServiceError('gone', message('members.merged'), { mergedInto: survivor.toHexString() });
}

/**
 * Refuses a member that was erased.
 * @throws ServiceError 1510
 */
export function requireNotErased({ status }: Pick<Member, 'status'>): void {
  if (status === 'Erased') throw new ServiceError('gone', message('members.erased'));
}

/** The survivor after all merges. A survivor may have been merged itself later. */
export async function finalSurvivor(db: Connection, org: ObjectId, merged: ObjectId): Promise<ObjectId> {
  let id = merged;
  // This loop ends, because a merged member cannot become a survivor again.
  for (;;) {
    const member = await collectionOf(db, memberResource).findOne({ org, _id: id }, { projection: { mergedInto: 1 } });
    assert(member, 'members are never deleted');
    if (!member.mergedInto) return id;
    id = member.mergedInto;
  }
}

/** Most merges in a chain that are followed. */
const mergesMax = 20;

/** The members, and the survivors of the merged ones among them. */
export async function withSurvivors(db: Connection, org: ObjectId, members: readonly Member[]): Promise<Member[]> {
  if (!members.some(({ mergedInto }) => mergedInto)) return [...members];
  const all = new Map(members.map((member) => [member._id.toHexString(), member]));
  for (let merge = 0; merge < mergesMax; merge += 1) {
    const missing = [...all.values()].flatMap(({ mergedInto }) =>
      mergedInto && !all.has(mergedInto.toHexString()) ? [mergedInto] : [],
    );
    if (missing.length === 0) break;
    const found = collectionOf(db, memberResource).find({ _id: { $in: missing }, org });
    for await (const member of found) all.set(member._id.toHexString(), member);
  }
  return [...all.values()];
}

/**
 * The survivor of the member with this id after all merges, or the member itself; undefined when it is not found.
 * @param find finds the caller's object for a member by its hexadecimal id
 */
export function findSurvivor<T>(
  id: string | undefined,
  find: (id: string) => T | undefined,
  docOf: (found: T) => Pick<Member, 'mergedInto'>,
): T | undefined {
  let next = id;
  for (let merge = 0; merge <= mergesMax && next !== undefined; merge += 1) {
    const found = find(next);
    if (!found) return undefined;
    const { mergedInto } = docOf(found);
    if (!mergedInto) return found;
    next = mergedInto.toHexString();
  }
  return undefined;
}

/** The states of accrual items that still have points. */
const liveStates: Lot['state'][] = ['escrow', 'available'];

/** Options of {@link loadLiveLots}. */
interface LotsOptions {
  /** Filters for further lots to read. */
  also?: readonly Record<string, unknown>[];
  /** The survivor by the hexadecimal id of each merged member. Lots that a merge has not moved yet count as its own. */
  survivors?: ReadonlyMap<string, ObjectId>;
  session?: ClientSession;
}

/**
 * The accrual items of members that still have points, and those that `also` selects, by hexadecimal member id. A
 * member without items has an empty list.
 */
export async function loadLiveLots(
  db: Connection,
  org: ObjectId,
  members: readonly ObjectId[],
  { also = [], survivors = new Map(), session }: LotsOptions = {},
): Promise<Map<string, Lot[]>> {
  const byMember = new Map<string, Lot[]>(members.map((id) => [id.toHexString(), []]));
  if (members.length === 0) return byMember;
  const live = { member: { $in: [...members] }, state: { $in: liveStates } };
  const lots = await collectionOf(db, accrualItemResource)
    .find({ org, ...(also.length > 0 ? { $or: [live, ...also] } : live) }, session ? { session } : {})
    .toArray();
  for (const lot of lots) {
    const survivor = survivors.get(lot.member.toHexString());
    byMember.get((survivor ?? lot.member).toHexString())?.push(survivor ? { ...lot, member: survivor } : lot);
  }
  return byMember;
}
