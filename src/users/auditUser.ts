import type { Connection } from 'mongoose';
import { audit } from '../audit/audit';
import type { Auditor } from '../audit/auditor';
import { recordChange } from '../audit/change';
import type { InCommit } from '../db/transaction';
import { type User, userResource } from '../records/users/user';

/** Who changes a user outside the routes of users, when, and how the audit log calls it. */
interface UserAudit {
  db: Connection;
  author: Auditor;
  now: Date;
  action: 'create' | 'update' | 'password';
}

/** Appends the change of a user to the audit log, in its transaction; without `previous` the user is new. */
export function auditUser({ db, author, now, action }: UserAudit, previous?: User): InCommit<User> {
  return (user, session) => {
    const change = recordChange(userResource, { action, id: user._id }, { before: previous, after: user });
    return audit(db, session, author, now, [change]);
  };
}
