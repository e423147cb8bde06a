import type { ObjectId } from 'bson';
import type { ClientSession, Connection } from 'mongoose';
import { GuardFailed, inTransaction, withRetries } from '#base/db/transaction';
import { serializedPerOrg } from '#platform/orgs/serializedPerOrg';
import { userResource } from '#records/users/user';
import { audit } from './audit';
import type { Change } from './change';

/** An entry of version 0.1, which recorded only the rights of users. */
interface OldEntry {
  _id: ObjectId;
  org: ObjectId;
  createdAt: Date;
  createdBy: ObjectId;
  action: 'create' | 'roles' | 'password' | 'activation' | 'delete';
  via: 'host' | 'api';
  user: ObjectId;
  username: string;
  roles: string[];
}

/** Entries that one transaction moves. */
const pageSize = 200;

/**
 * Moves the entries of version 0.1 into the audit logs of their orgs. Processes may do it at once, and continue after a
 * killed one.
 * @returns how many this call moved
 */
export async function adoptOldEntries(db: Connection, onMoved?: (moved: number) => void): Promise<number> {
  const old = db.collection<OldEntry>('auditentries');
  for (let moved = 0; ; ) {
    const next = await old.findOne({}, { sort: { org: 1 }, projection: { org: 1 } });
    if (!next) return moved;
    const move = async (session: ClientSession) => {
      const page = await old
        .find({ org: next.org }, { session })
        .sort({ createdAt: 1, _id: 1 })
        .limit(pageSize)
        .toArray();
      for (const { org, createdBy: userId, via, createdAt, ...entry } of page) {
        await audit(db, session, { org, userId, via }, createdAt, [oldChange(entry)]);
      }
      const ids = page.map(({ _id }) => _id);
      const { deletedCount } = await old.deleteMany({ _id: { $in: ids } }, { session });
      if (deletedCount !== ids.length) throw new GuardFailed('another process moves them');
      return ids.length;
    };
    moved += await serializedPerOrg(db, next.org, () => withRetries(() => inTransaction(db, move), {}));
    onMoved?.(moved);
  }
}

const updates = { roles: ['roles'], password: ['passwordHash'], activation: ['isActive'] };

function oldChange({
  action,
  user,
  username,
  roles,
}: Pick<OldEntry, 'action' | 'user' | 'username' | 'roles'>): Change {
  const subject = { resource: userResource.path, id: user };
  if (action === 'create') return { ...subject, action, after: { username, roles } };
  if (action === 'delete') return { ...subject, action, before: { username, roles } };
  return { ...subject, action: 'update', changed: updates[action], after: { username, roles } };
}
