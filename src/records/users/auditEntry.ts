import { Type } from '@sinclair/typebox';
import type { ClientSession, Connection } from 'mongoose';
import { collectionOf } from '../../db/collections';
import { type Author, newStamps } from '../../db/records';
import { list, objectId, oneOf, text } from '../../schema/atoms';
import { type DocOf, defineResource } from '../../schema/resource';

/** Audit entries: who got or lost rights in the service, when, and by whom. Append-only. */
export const auditResource = defineResource({
  name: 'AuditEntry',
  path: 'auditentries',
  fields: {
    action: oneOf(['create', 'roles', 'password', 'activation', 'delete']),
    /** `host`: a command on the machine; `api`: the user in `createdBy`. */
    via: oneOf(['host', 'api']),
    user: objectId(),
    username: text(100),
    roles: list(Type.String(), 20),
  },
  indexes: [{ keys: { org: 1, user: 1, createdAt: 1 } }],
});

export type AuditEntry = DocOf<typeof auditResource>;

/** Appends an audit entry, in the same transaction as the change that it records. */
export async function audit(
  db: Connection,
  author: Author,
  entry: Pick<AuditEntry, 'action' | 'via' | 'user' | 'username' | 'roles'>,
  now: Date,
  session: ClientSession,
): Promise<void> {
  await collectionOf(db, auditResource).insertOne({ ...newStamps(author, now), ...entry }, { session });
}
