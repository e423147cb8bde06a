import type { TProperties } from '@sinclair/typebox';
import type { ObjectId } from 'bson';
import type { ClientSession } from 'mongoose';
import { validationError } from '#base/common/errors';
import { updateOperators, updateStamps } from '#base/db/records';
import { GuardFailed } from '#base/db/transaction';
import type { Doc, Resource } from '#base/schema/resource';
import { type CompanionWrite, joinWrites, type RulesRead, writeRecord } from '#platform/orgs/writeRecord';
import { auditWrite } from './auditWrite';
import type { ReadExt } from './readExt';
import { requireFit } from './requireFit';
import { requireNamesUnchanged } from './requireUnused';
import { hasVersion, storedRecord } from './storedRecord';
import { uniqueFault } from './uniqueFault';
import type { Expect, WritableResource } from './writableResource';
import { retried, type WriteContext } from './writeContext';

/** The parts of an update. */
interface RecordUpdate {
  id: ObjectId;
  /** The fields to change, as JSON. */
  sent: unknown;
  expect: Expect | undefined;
}

/** Changes a record. One that is changed between read and write is read again: the prepared fields may no longer fit. */
export function updateRecord<P extends TProperties, B>(
  writing: WritableResource<P, B>,
  context: WriteContext,
  update: RecordUpdate,
): Promise<Doc<P>> {
  return retried(context, () => change(writing, context, update));
}

async function change<P extends TProperties, B>(
  writing: WritableResource<P, B>,
  context: WriteContext,
  { id, sent, expect }: RecordUpdate,
): Promise<Doc<P>> {
  const { resource, rules } = writing;
  const previous = await storedRecord(resource, context, id);
  await rules.guard?.(previous, context);
  expect?.(previous);
  const read = await writing.readUpdate(previous, sent, context);
  if (isEmpty(read)) return previous;
  if (!rules.update) return store(resource, await planUpdate(writing, context, previous, read), context);
  if (read.faults.length > 0) throw validationError(read.faults);
  const audit = auditWrite(resource, context, 'update', previous);
  const doc = await rules.update(previous, read.body as B, context, audit.inCommit);
  audit.requireEntry();
  return doc;
}

/** Makes the checks of an update. @returns whether it would change the record */
export async function checkUpdate<P extends TProperties, B>(
  writing: WritableResource<P, B>,
  context: WriteContext,
  previous: Doc<P>,
  sent: unknown,
): Promise<boolean> {
  await writing.rules.guard?.(previous, context);
  const read = await writing.readUpdate(previous, sent, context);
  if (isEmpty(read)) return false;
  await planUpdate(writing, context, previous, read);
  return true;
}

function isEmpty({ body }: ReadExt): boolean {
  return Object.keys(body as object).length === 0;
}

/** A checked update, and what is still to be written. */
interface PlannedUpdate<P extends TProperties> {
  previous: Doc<P>;
  fields: object;
  /** The rules that the write relies on. */
  seen: RulesRead | undefined;
  companion: CompanionWrite | undefined;
  /** Makes the checks again, in the transaction of the write. */
  stillFits(): Promise<void>;
}

async function planUpdate<P extends TProperties, B>(
  { resource, rules }: WritableResource<P, B>,
  context: WriteContext,
  previous: Doc<P>,
  read: ReadExt,
): Promise<PlannedUpdate<P>> {
  const { prepare, companionOnUpdate, companionOnChange, uses } = rules;
  const body = read.body as B & Partial<Doc<P>>;
  await requireFit(resource, read, context);
  const fields = prepare ? await prepare(body, context, previous) : body;
  const seen = await requireNamesUnchanged(resource, previous, fields, context, uses);
  const ofChange = companionOnChange?.({ before: previous, after: { ...previous, ...fields } }, context);
  return {
    previous,
    fields,
    seen,
    companion: joinWrites(companionOnUpdate?.(previous, fields, context), ofChange),
    async stillFits() {
      await requireFit(resource, read, context);
      if (resource.isDefinition) await prepare?.(body, context, previous);
      await requireNamesUnchanged(resource, previous, fields, context, uses);
    },
  };
}

async function store<P extends TProperties>(
  resource: Resource<P>,
  { previous, fields, seen, companion, stillFits }: PlannedUpdate<P>,
  context: WriteContext,
): Promise<Doc<P>> {
  const { services, principal, now } = context;
  const version = hasVersion(resource) ? { version: Reflect.get(previous, 'version') } : {};
  // The filter matches the record only as it was read. Otherwise `prepare` and `expect` would miss a change in between.
  const read = { org: principal.org, _id: previous._id, updatedAt: previous.updatedAt, ...version };
  const update = {
    ...updateOperators(fields, updateStamps(principal, now)),
    ...(hasVersion(resource) ? { $inc: { version: 1 } } : {}),
  };
  const write = async (session?: ClientSession) => {
    if (session) await stillFits();
    const records = services.db.collection(resource.path);
    const options = { returnDocument: 'after', ...(session && { session }) } as const;
    const updated = await records.findOneAndUpdate(read, update, options);
    if (!updated) throw new GuardFailed();
    return updated as unknown as Doc<P>;
  };
  const { inCommit: audited } = auditWrite(resource, context, 'update', previous);
  try {
    return await writeRecord(services.db, resource, principal.org, write, { seen, companion, audited });
  } catch (error) {
    throw uniqueFault(error, fields);
  }
}
