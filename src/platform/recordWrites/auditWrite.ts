import assert from 'node:assert';
import type { TProperties } from '@sinclair/typebox';
import type { InCommit } from '#base/db/transaction';
import type { Access, Doc, Resource } from '#base/schema/resource';
import { audit } from '#platform/audit/audit';
import { recordChange } from '#platform/audit/change';
import type { WriteContext } from './writeContext';

/** The kinds of resources with writes that the audit log records here. */
const audited: ReadonlySet<Access | undefined> = new Set<Access>(['managed', 'catalog', 'user']);

/** How a write of a record gets into the audit log. */
export interface WriteAudit<P extends TProperties> {
  /**
   * Appends the entry, in the transaction of the write, with the record as created, changed or deleted; undefined when
   * the log does not record writes of this resource.
   */
  inCommit: InCommit<Doc<P>> | undefined;
  /** Fails when the write is done without an entry: its use case has not called `inCommit`. */
  requireEntry(): void;
}

/**
 * Prepares the audit of one write.
 * @param previous the record before an update
 */
export function auditWrite<P extends TProperties>(
  resource: Resource<P>,
  { services, auditor, machineClock }: WriteContext,
  action: 'create' | 'update' | 'delete',
  previous?: Doc<P>,
): WriteAudit<P> {
  if (!audited.has(resource.access)) return { inCommit: undefined, requireEntry: () => undefined };
  let hasEntry = false;
  return {
    async inCommit(doc, session) {
      const sides = action === 'delete' ? { before: doc } : { before: previous, after: doc };
      const change = recordChange(resource, { action, id: doc._id }, sides);
      await audit(services.db, session, auditor, machineClock.now(), [change]);
      hasEntry = true;
    },
    requireEntry: () => assert(hasEntry, `a write of ${resource.path} appends to the audit log`),
  };
}
