import assert from 'node:assert';
import type { ObjectId } from 'bson';
import type { ClientSession, Connection } from 'mongoose';
import { notFound, ServiceError } from '../common/errors';
import { collectionOf } from '../db/collections';
import { type Member, memberResource } from '../records/members/member';
import { accrualItemResource } from '../records/points/accrualItem';
import type { Lot } from '../records/points/lot';

/**
 * Reads a member of an org.
 * @throws ServiceError 1500 when there is none, 1510 when it was merged (the survivor is named) or erased
 */
export async function readMember(db: Connection, org: ObjectId, id: ObjectId): Promise<Member> {
  const member = await collectionOf(db, memberResource).findOne({ org, _id: id });
  if (!member) throw notFound('Member');
  await requirePresent(db, member);
  return member;
}

/**
 * Refuses a member that was merged or erased; after several merges the one it lives on in is named.
 * @throws ServiceError 1510
 */
export async function requirePresent(
  db: Connection,
  member: Pick<Member, 'org' | '_id' | 'status' | 'mergedInto'>,
): Promise<void> {
  requireNotErased(member);
  if (member.status !== 'Merged') return;
  const survivor = await finalSurvivor(db, member.org, member._id);
  throw new ServiceError('gone', 'Member was merged', { mergedInto: survivor.toHexString() });
}

/**
 * Refuses a member that was erased.
 * @throws ServiceError 1510
 */
export function requireNotErased({ status }: Pick<Member, 'status'>): void {
  if (status === 'Erased') throw new ServiceError('gone', 'Member was erased');
}

/** The member that a merged one lives on in after all merges; a survivor may be merged itself. */
export async function finalSurvivor(db: Connection, org: ObjectId, merged: ObjectId): Promise<ObjectId> {
  let id = merged;
  // Merges make no circle: whoever was merged is no survivor any more.
  for (;;) {
    const member = await collectionOf(db, memberResource).findOne({ org, _id: id }, { projection: { mergedInto: 1 } });
    assert(member, 'members are never deleted');
    if (!member.mergedInto) return id;
    id = member.mergedInto;
  }
}

/** How many merges in a row are followed. */
const mergesMax = 20;

/** The members given, and those that the merged ones among them live on in. */
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
 * The one that this id leads to after all merges; undefined when it leads nowhere.
 * @param find gives what stands for a member by its hexadecimal id
 */
export function survivorOf<T>(
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

/** The states of accrual items that still hold points: in escrow or available. */
const liveStates: Lot['state'][] = ['escrow', 'available'];

/** What else is read, and how. */
interface LotsOptions {
  /** Filters of lots to be read beside the live ones. */
  also?: readonly Record<string, unknown>[];
  /** The survivor of each merged member, by its hexadecimal id: spent lots that have not followed yet are his. */
  survivors?: ReadonlyMap<string, ObjectId>;
  session?: ClientSession;
}

/**
 * The accrual items of members that still hold points, and those that `also` selects, by hexadecimal member id; a
 * member without any has an empty list.
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
