import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { collectionOf } from '#base/db/collections';
import { inSnapshot, type SnapshotOptions } from '#base/db/inSnapshot';
import { type Account, accountResource } from '#records/members/account';
import { type Member, memberResource } from '#records/members/member';
import type { OrgCheck } from '../reconciledOrg';

/** Number of accounts that one snapshot compares with their members. */
const pageSize = 500;

/** Finds accounts whose members are gone, merged, erased or in another program, or whose active member is not theirs. */
export const accounts: OrgCheck = async function* ({ db, org }) {
  let last: ObjectId | undefined;
  do {
    const { page, members } = await inSnapshot(db, (at) => readPage(db, at, org, last));
    for (const account of page) {
      for (const fault of accountFaults(account, members)) yield { message: `Account ${account._id} ${fault}` };
    }
    last = page.length < pageSize ? undefined : page.at(-1)?._id;
  } while (last);
};

type AccountMember = Pick<Member, '_id' | 'program' | 'status'>;

async function readPage(db: Connection, at: SnapshotOptions, org: ObjectId, after: ObjectId | undefined) {
  const page = await collectionOf(db, accountResource)
    .find({ org, ...(after ? { _id: { $gt: after } } : {}) }, at)
    .sort({ _id: 1 })
    .limit(pageSize)
    .toArray();
  const ids = page.flatMap((account) => account.members.map(({ member }) => member));
  const found = await collectionOf(db, memberResource)
    .find({ org, _id: { $in: ids } }, at)
    .project<AccountMember>({ program: 1, status: 1 })
    .toArray();
  return { page, members: new Map(found.map((member) => [member._id.toHexString(), member])) };
}

function accountFaults({ members, activeMember }: Account, known: ReadonlyMap<string, AccountMember>): string[] {
  const isOwn = members.some(({ member }) => activeMember?.equals(member));
  return [
    ...(activeMember && !isOwn ? [`has the active member ${activeMember}, which is not one of its members`] : []),
    ...members.flatMap(({ member: id, program }) => {
      const member = known.get(id.toHexString());
      if (!member) return [`names member ${id}, which does not exist`];
      if (member.status === 'Merged' || member.status === 'Erased')
        return [`names member ${id}, which is ${member.status}`];
      return member.program.equals(program) ? [] : [`names member ${id} in program ${program}, but it is in another`];
    }),
  ];
}
