import { adoptOldEntries } from '#platform/audit/adoptOldEntries';
import type { Migration } from './migration';

/** Moves what an early version recorded of the rights of users into the audit logs of their orgs. */
export const moveAuditEntries: Migration = {
  number: 4,
  name: 'records of rights are in the audit log',
  async up(db, { progress, signal }) {
    const total = await db.collection('auditentries').estimatedDocumentCount();
    await adoptOldEntries(db, (moved) => {
      progress(moved, total);
      signal.throwIfAborted();
    });
  },
};
