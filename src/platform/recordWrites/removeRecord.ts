import type { TProperties } from '@sinclair/typebox';
import type { ObjectId } from 'bson';
import type { ClientSession } from 'mongoose';
import type { InCommit } from '#base/db/transaction';
import type { Doc } from '#base/schema/resource';
import { writeRecord } from '#platform/orgs/writeRecord';
import { auditWrite } from './auditWrite';
import { requireUnused } from './requireUnused';
import { storedRecord } from './storedRecord';
import type { Expect, WritableResource } from './writableResource';
import { retried, type WriteContext } from './writeContext';

/** Deletes a record, by the rule of its resource or plainly, when nothing names it. */
export async function removeRecord<P extends TProperties, B>(
  writing: WritableResource<P, B>,
  context: WriteContext,
  id: ObjectId,
  expect: Expect | undefined,
): Promise<void> {
  const { resource, rules } = writing;
  const doc = await storedRecord(resource, context, id);
  await rules.guard?.(doc, context);
  expect?.(doc);
  if (rules.remove) await rules.remove(doc, context, auditWrite(resource, context, 'delete').inCommit);
  else await removeUnused(writing, context, doc);
}

async function removeUnused<P extends TProperties, B>(
  { resource, rules: { uses, companionOnChange } }: WritableResource<P, B>,
  context: WriteContext,
  doc: Doc<P>,
): Promise<void> {
  const { db } = context.services;
  const { org } = context.principal;
  const write = async (session?: ClientSession) => {
    if (session) await requireUnused(resource, doc, context, uses);
    const one = { org, _id: doc._id };
    const deleted = await db.collection(resource.path).findOneAndDelete(one, session ? { session } : {});
    return deleted as unknown as Doc<P> | null;
  };
  const { inCommit } = auditWrite(resource, context, 'delete');
  // Nothing is left to record when another request has deleted it first.
  const audited: InCommit<Doc<P> | null> = async (gone, session) => {
    if (gone) await inCommit?.(gone, session);
  };
  await retried(context, async () => {
    // Checked again at every attempt, because another rule set may have come into force.
    const seen = await requireUnused(resource, doc, context, uses);
    const companion = companionOnChange?.({ before: doc }, context);
    await writeRecord(db, resource, org, write, { seen, companion, audited: inCommit && audited });
  });
}
