import type { Connection } from 'mongoose';
import type { InCommit } from '#base/db/transaction';
import { audit } from '#platform/audit/audit';
import type { Auditor } from '#platform/audit/auditor';
import { recordChange } from '#platform/audit/change';
import { type User, userResource } from '#records/users/user';

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
