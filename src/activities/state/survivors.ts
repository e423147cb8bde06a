import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { collectionOf } from '../../db/collections';
import { type Member, memberResource } from '../../records/members/member';

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
