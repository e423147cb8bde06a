import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import type { FieldError } from '#base/common/errors';
import { type Message, message } from '#base/common/messages/message';
import { collectionOf } from '#base/db/collections';
import type { Account } from '#records/members/account';
import { type Member, memberResource } from '#records/members/member';

/**
 * Finds the faults of an account: a member that is named twice, is unknown, merged or erased, or is in another program
 * than its entry says; or an active member that is not in the account. That a member is in one account at most is
 * checked by the unique index.
 */
export async function accountFaults(
  db: Connection,
  org: ObjectId,
  { members, activeMember }: Pick<Account, 'members' | 'activeMember'>,
): Promise<FieldError[]> {
  const programs = await memberPrograms(db, org, members);
  const seen = new Set<string>();
  const faults = members.flatMap(({ member, program }, index): FieldError[] => {
    const id = member.toHexString();
    if (seen.has(id)) return [memberFault(index, 'unique', message('accounts.memberTwice'))];
    seen.add(id);
    const own = programs.get(id);
    if (!own) return [memberFault(index, 'reference', message('accounts.noMember'))];
    if (own.equals(program)) return [];
    return [{ path: `members.${index}.program`, kind: 'reference', ...message('members.otherProgram') }];
  });
  if (activeMember && !seen.has(activeMember.toHexString())) {
    faults.push({ path: 'activeMember', kind: 'reference', ...message('accounts.notOneOfMembers') });
  }
  return faults;
}

async function memberPrograms(
  db: Connection,
  org: ObjectId,
  entries: Account['members'],
): Promise<Map<string, ObjectId>> {
  const found = await collectionOf(db, memberResource)
    .find({ org, _id: { $in: entries.map(({ member }) => member) }, status: { $nin: ['Merged', 'Erased'] } })
    .project<Pick<Member, '_id' | 'program'>>({ program: 1 })
    .toArray();
  return new Map(found.map(({ _id, program }) => [_id.toHexString(), program]));
}

export function memberFault(index: number, kind: 'unique' | 'reference', fault: Message): FieldError {
  return { path: `members.${index}.member`, kind, ...fault };
}
