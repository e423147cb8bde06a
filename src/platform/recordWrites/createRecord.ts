import type { TProperties } from '@sinclair/typebox';
import { ObjectId } from 'bson';
import type { ClientSession } from 'mongoose';
import { validationError } from '#base/common/errors';
import { newStamps } from '#base/db/records';
import { type InCommit, inBoth } from '#base/db/transaction';
import type { Doc } from '#base/schema/resource';
import { joinWrites, writeRecord } from '#platform/orgs/writeRecord';
import { auditWrite } from './auditWrite';
import { type ReadExt, readExt } from './readExt';
import { requireFit } from './requireFit';
import { hasVersion } from './storedRecord';
import { uniqueFault } from './uniqueFault';
import type { WritableResource } from './writableResource';
import { retried, type WriteContext } from './writeContext';

/** Creates a record, by the rule of its resource or by a plain insert. */
export async function createRecord<P extends TProperties, B>(
  writing: WritableResource<P, B>,
  context: WriteContext,
  body: B,
  inCommit?: InCommit<Doc<P>>,
): Promise<Doc<P>> {
  const read = await readExt(writing.resource, body, context, true);
  const { create } = writing.rules;
  if (!create) return insert(writing, context, read, inCommit);
  if (read.faults.length > 0) throw validationError(read.faults);
  const audit = auditWrite(writing.resource, context, 'create');
  const doc = await create(read.body as B, context, inBoth(audit.inCommit, inCommit));
  audit.requireEntry();
  return doc;
}

/** Makes the checks of a plain creation. A rule of its own checks while it creates. */
export async function checkCreate<P extends TProperties, B>(
  { resource, rules }: WritableResource<P, B>,
  context: WriteContext,
  body: B,
): Promise<void> {
  const read = await readExt(resource, body, context, true);
  await requireFit(resource, read, context);
  await rules.prepare?.(read.body as B, context);
}

async function insert<P extends TProperties, B>(
  { resource, rules: { prepare, companionOnChange } }: WritableResource<P, B>,
  context: WriteContext,
  read: ReadExt,
  inCommit: InCommit<Doc<P>> | undefined,
): Promise<Doc<P>> {
  const body = read.body as B & Partial<Doc<P>>;
  await requireFit(resource, read, context);
  const fields = prepare ? await prepare(body, context) : body;
  const set = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const version = hasVersion(resource) ? { version: 1 } : {};
  const fresh = { ...newStamps(context.principal, context.now, new ObjectId()), ...version, ...set };
  const doc = fresh as unknown as Doc<P>;
  const { db } = context.services;
  const write = async (session?: ClientSession) => {
    if (session) await requireFit(resource, read, context);
    if (session && resource.isDefinition) await prepare?.(body, context);
    await db.collection(resource.path).insertOne(fresh, session && { session });
  };
  const keep = inCommit && ((session: ClientSession) => inCommit(doc, session));
  const companion = joinWrites(companionOnChange?.({ after: doc }, context), keep);
  const { inCommit: append } = auditWrite(resource, context, 'create');
  const audited = append && ((_: unknown, session: ClientSession) => append(doc, session));
  try {
    await retried(context, () => writeRecord(db, resource, context.principal.org, write, { companion, audited }));
  } catch (error) {
    throw uniqueFault(error, fresh);
  }
  return doc;
}
