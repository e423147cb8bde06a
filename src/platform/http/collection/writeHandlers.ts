import type { TProperties } from '@sinclair/typebox';
import { ObjectId } from 'bson';
import type { ClientSession } from 'mongoose';
import { validationError } from '#base/common/errors';
import { newStamps, updateOf, updateStamps } from '#base/db/records';
import { GuardFailed, type InCommit, inBoth, withRetries } from '#base/db/transaction';
import type { Doc, Resource } from '#base/schema/resource';
import { bothOf, type CompanionWrite, type RulesRead, writeRecord } from '#platform/orgs/writeRecord';
import { keptAnswer } from '../keys/keptAnswer';
import { type ReadExt, readExt } from '../readExt';
import type { Answer, Request } from '../route';
import { auditWrite } from './auditWrite';
import type { CollectionOptions } from './collectionOptions';
import { idOf, storedRecord, visible } from './collectionRecord';
import { etagHeader, requireMatch, requireTag } from './etag';
import { createReadUpdate, type ReadUpdate } from './readUpdate';
import { referenceFaults } from './referenceFaults';
import { requireNamesUnchanged, requireUnused } from './requireUnused';
import { uniqueFault } from './uniqueFault';

/** The handlers of the writes of a resource. */
export function writeHandlers<P extends TProperties, B>(resource: Resource<P>, options: CollectionOptions<P, B>) {
  const read = createReadUpdate(resource, options);
  return {
    create: (request: Request) => handleCreate(resource, options, request),
    update: (request: Request) => handleUpdate(resource, { ...options, read }, request),
    remove: (request: Request) => handleRemove(resource, options, request),
  };
}

async function handleCreate<P extends TProperties, B>(
  resource: Resource<P>,
  options: CollectionOptions<P, B>,
  sent: Request,
): Promise<Answer> {
  const read = await readExt(resource, sent, true);
  const { request } = read;
  const answered = async (doc: Doc<P>) => {
    const headers = { Location: `/api/v1/${resource.path}/${doc._id.toHexString()}`, ...etagHeader(doc) };
    return { status: 201, body: await answerOf(resource, options, request, doc), headers };
  };
  const { create } = options;
  return keptAnswer(request, answered, (inCommit) =>
    create ? made(resource, create, read, inCommit) : insert(resource, options, read, inCommit),
  );
}

async function made<P extends TProperties, B>(
  resource: Resource<P>,
  create: NonNullable<CollectionOptions<P, B>['create']>,
  { request, faults }: ReadExt,
  inCommit?: InCommit<Doc<P>>,
): Promise<Doc<P>> {
  if (faults.length > 0) throw validationError(faults);
  const audit = auditWrite(resource, request, 'create');
  const doc = await create(bodyOf<B>(request), request, inBoth(audit.inCommit, inCommit));
  audit.requireEntry();
  return doc;
}

async function insert<P extends TProperties, B>(
  resource: Resource<P>,
  { prepare, alongChange }: CollectionOptions<P, B>,
  read: ReadExt,
  inCommit?: InCommit<Doc<P>>,
): Promise<Doc<P>> {
  const { request } = read;
  const body = bodyOf<B & Partial<Doc<P>>>(request);
  await requireFit(resource, body, read);
  const fields = prepare ? await prepare(body, { request }) : body;
  const version = hasVersion(resource) ? { version: 1 } : {};
  const set = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const fresh = { ...newStamps(request.principal, request.now, new ObjectId()), ...version, ...set };
  const doc = fresh as unknown as Doc<P>;
  const { db } = request.services;
  const write = async (session?: ClientSession) => {
    if (session) await requireFit(resource, body, read);
    if (session && resource.isDefinition) await prepare?.(body, { request });
    await db.collection(resource.path).insertOne(fresh, session && { session });
  };
  const keep = inCommit && ((session: ClientSession) => inCommit(doc, session));
  const along = bothOf(alongChange?.({ after: doc }, request), keep);
  const { inCommit: append } = auditWrite(resource, request, 'create');
  const audited = append && ((_: unknown, session: ClientSession) => append(doc, session));
  try {
    await retried(request, () => writeRecord(db, resource, request.principal.org, write, { along, audited }));
  } catch (error) {
    throw uniqueFault(error, fresh);
  }
  return doc;
}

type UpdateOptions<P extends TProperties, B> = CollectionOptions<P, B> & { read: ReadUpdate<P> };

async function handleUpdate<P extends TProperties, B>(
  resource: Resource<P>,
  options: UpdateOptions<P, B>,
  request: Request,
): Promise<Answer> {
  const id = idOf(request);
  requireTag(request);
  // A record that another request changes between read and write is read again: the prepared fields may no longer fit.
  const doc = await retried(request, () => change(resource, options, request, id));
  return { status: 200, body: await answerOf(resource, options, request, doc), headers: { ...etagHeader(doc) } };
}

async function change<P extends TProperties, B>(
  resource: Resource<P>,
  options: UpdateOptions<P, B>,
  sent: Request,
  id: ObjectId,
): Promise<Doc<P>> {
  const previous = await storedRecord(resource, sent, id);
  await options.guard?.(previous, sent);
  requireMatch(previous, sent);
  const read = await options.read(previous, sent);
  const { request } = read;
  const body = bodyOf<B & Partial<Doc<P>>>(request);
  if (Object.keys(body).length === 0) return previous;
  if (options.update) {
    if (read.faults.length > 0) throw validationError(read.faults);
    const audit = auditWrite(resource, request, 'update', previous);
    const doc = await options.update(previous, body, request, audit.inCommit);
    audit.requireEntry();
    return doc;
  }
  await requireFit(resource, body, read);
  const fields = options.prepare ? await options.prepare(body, { request, previous }) : body;
  const seen = await requireNamesUnchanged(resource, previous, fields, request, options.uses);
  const told = options.alongChange?.({ before: previous, after: { ...previous, ...fields } }, request);
  const along = bothOf(options.along?.(previous, fields, request), told);
  const stillFits = async () => {
    await requireFit(resource, body, read);
    if (resource.isDefinition) await options.prepare?.(body, { request, previous });
    await requireNamesUnchanged(resource, previous, fields, request, options.uses);
  };
  return store(resource, { previous, seen, along, stillFits }, fields, request);
}

/**
 * Refuses extension fields that do not fit and references to missing records, all in one answer. For a definition it
 * runs again inside the transaction, and so does `prepare`, which checks what the body names by texts. Only one
 * transaction at a time changes definitions of an org, so the records that exist then stay until the commit.
 */
async function requireFit(resource: Resource, body: unknown, { request, faults }: ReadExt): Promise<void> {
  const all = [...faults, ...(await referenceFaults(resource, body, request))];
  if (all.length > 0) throw validationError(all);
}

interface Change<P extends TProperties> {
  previous: Doc<P>;
  seen: RulesRead | undefined;
  along: CompanionWrite | undefined;
  stillFits(): Promise<void>;
}

async function store<P extends TProperties>(
  resource: Resource<P>,
  { previous, stillFits, ...beside }: Change<P>,
  fields: object,
  request: Request,
): Promise<Doc<P>> {
  const { services, principal, now } = request;
  const version = hasVersion(resource) ? { version: Reflect.get(previous, 'version') } : {};
  // The filter matches the record only as it was read. Otherwise `prepare` and If-Match would miss a change in between.
  const read = { org: principal.org, _id: previous._id, updatedAt: previous.updatedAt, ...version };
  const update = {
    ...updateOf(fields, updateStamps(principal, now)),
    ...(hasVersion(resource) ? { $inc: { version: 1 } } : {}),
  };
  try {
    const { db } = services;
    const options = { returnDocument: 'after' } as const;
    const write = async (session?: ClientSession) => {
      if (session) await stillFits();
      const records = db.collection(resource.path);
      const updated = await records.findOneAndUpdate(read, update, { ...options, ...(session && { session }) });
      if (!updated) throw new GuardFailed();
      return updated as unknown as Doc<P>;
    };
    const { inCommit: audited } = auditWrite(resource, request, 'update', previous);
    return await writeRecord(db, resource, principal.org, write, { ...beside, audited });
  } catch (error) {
    throw uniqueFault(error, fields);
  }
}

async function handleRemove<P extends TProperties, B>(
  resource: Resource<P>,
  { guard, remove, uses, alongChange }: CollectionOptions<P, B>,
  request: Request,
): Promise<Answer> {
  const id = idOf(request);
  requireTag(request);
  const doc = await storedRecord(resource, request, id);
  await guard?.(doc, request);
  requireMatch(doc, request);
  const { inCommit } = auditWrite(resource, request, 'delete');
  if (remove) await remove(doc, request, inCommit);
  else {
    const { db } = request.services;
    const one = { org: request.principal.org, _id: doc._id };
    const write = async (session?: ClientSession) => {
      if (session) await requireUnused(resource, doc, request, uses);
      const deleted = await db.collection(resource.path).findOneAndDelete(one, session ? { session } : {});
      return deleted as unknown as Doc<P> | null;
    };
    // Nothing is left to record when another request has deleted it first.
    const audited: InCommit<Doc<P> | null> = async (gone, session) => {
      if (gone) await inCommit?.(gone, session);
    };
    await retried(request, async () => {
      // Checked again at every attempt, because another rule set may have come into force.
      const seen = await requireUnused(resource, doc, request, uses);
      const along = alongChange?.({ before: doc }, request);
      await writeRecord(db, resource, one.org, write, { seen, along, audited: inCommit && audited });
    });
  }
  return { status: 204 };
}

function retried<T>({ services: { clock } }: Request, attempt: () => Promise<T>): Promise<T> {
  return withRetries(attempt, { now: () => clock.now().getTime() });
}

async function answerOf<P extends TProperties, B>(
  resource: Resource<P>,
  { present }: CollectionOptions<P, B>,
  request: Request,
  doc: Doc<P>,
): Promise<unknown> {
  const answer = visible(resource, doc);
  return present ? (await present([answer], request))[0] : answer;
}

function hasVersion(resource: Resource): boolean {
  return Object.hasOwn(resource.shape.properties, 'version');
}

/** The mount has parsed the body by the route's schema, whose type is `B`. */
function bodyOf<B>({ body }: Request): B {
  return body as B;
}
