import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { collectionOf } from '../db/resource';
import type { FieldError } from '../errors';
import { memberResource } from '../members/member';
import type { Account } from './account';

type Entry = Account['members'][number];

/**
 * What is wrong with the members of an account, before the database's own check that a member is in one account at
 * most: a member named twice, unknown, merged or erased, or given with another program than its own.
 */
export async function accountFaults(db: Connection, org: ObjectId, entries: readonly Entry[]): Promise<FieldError[]> {
  const found = await collectionOf(db, memberResource)
    .find({ org, _id: { $in: entries.map(({ member }) => member) }, status: { $nin: ['Merged', 'Erased'] } })
    .project<{ _id: ObjectId; program: ObjectId }>({ program: 1 })
    .toArray();
  const programs = new Map(found.map(({ _id, program }) => [_id.toHexString(), program.toHexString()]));
  const seen = new Set<string>();
  return entries.flatMap(({ member, program }, index) => {
    const id = member.toHexString();
    const twice = seen.has(id);
    seen.add(id);
    if (twice) return [memberFault(index, 'unique', 'is in this account twice')];
    const own = programs.get(id);
    if (own === undefined) return [memberFault(index, 'reference', 'is not an existing member')];
    if (own === program.toHexString()) return [];
    return [{ path: `members.${index}.program`, kind: 'reference', message: "is not the member's program" }];
  });
}

/** The fault of one entry of `members`. */
export function memberFault(index: number, kind: 'unique' | 'reference', message: string): FieldError {
  return { path: `members.${index}.member`, kind, message };
}
