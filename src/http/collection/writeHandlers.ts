import type { TProperties } from '@sinclair/typebox';
import { ObjectId } from 'bson';
import type { ClientSession } from 'mongoose';
import { validationError } from '../../common/errors';
import { newStamps, updateStamps } from '../../db/records';
import { GuardFailed, withRetries } from '../../db/transaction';
import { type CompanionWrite, type RulesRead, writeRecord } from '../../orgs/writeRecord';
import type { Doc, Resource } from '../../schema/resource';
import { type ReadExt, readExt } from '../readExt';
import type { Answer, Request } from '../route';
import type { CollectionOptions } from './collectionOptions';
import { idOf, storedRecord, visible } from './collectionRecord';
import { etagHeader, requireMatch, requireTag } from './etag';
import { referenceFaults } from './referenceFaults';
import { requireNamesUnchanged, requireUnused } from './requireUnused';
import { uniqueFault } from './uniqueFault';

/** The handlers of the writes of a resource. */
export function writeHandlers<P extends TProperties, B>(resource: Resource<P>, options: CollectionOptions<P, B>) {
  return {
    create: (request: Request) => handleCreate(resource, options, request),
    update: (request: Request) => handleUpdate(resource, options, request),
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
  const doc = options.create ? await made(options.create, read) : await insert(resource, options, read);
  const headers = { Location: `/api/v1/${resource.path}/${doc._id.toHexString()}`, ...etagHeader(doc) };
  return { status: 201, body: await answerOf(resource, options, request, doc), headers };
}

async function made<P extends TProperties, B>(
  create: NonNullable<CollectionOptions<P, B>['create']>,
  { request, faults }: ReadExt,
): Promise<Doc<P>> {
  if (faults.length > 0) throw validationError(faults);
  return create(bodyOf<B>(request), request);
}

async function insert<P extends TProperties, B>(
  resource: Resource<P>,
  { prepare }: CollectionOptions<P, B>,
  read: ReadExt,
): Promise<Doc<P>> {
  const { request } = read;
  const body = bodyOf<B & Partial<Doc<P>>>(request);
  await requireFit(resource, body, read);
  const fields = prepare ? await prepare(body, { request }) : body;
  const version = hasVersion(resource) ? { version: 1 } : {};
  const { set } = changesOf(fields);
  const doc = { ...newStamps(request.principal, request.now, new ObjectId()), ...version, ...set };
  const { db } = request.services;
  try {
    await retried(request, () =>
      writeRecord(db, resource, request.principal.org, async (session) => {
        if (session) await requireFit(resource, body, read);
        return db.collection(resource.path).insertOne(doc, session && { session });
      }),
    );
  } catch (error) {
    throw uniqueFault(error, doc);
  }
  return doc as unknown as Doc<P>;
}

async function handleUpdate<P extends TProperties, B>(
  resource: Resource<P>,
  options: CollectionOptions<P, B>,
  sent: Request,
): Promise<Answer> {
  const id = idOf(sent);
  requireTag(sent);
  const read = await readExt(resource, sent, false);
  const { request } = read;
  // A record that another request changes between read and write is read again: the prepared fields may no longer fit.
  const doc = await retried(request, () => change(resource, options, read, id));
  return { status: 200, body: await answerOf(resource, options, request, doc), headers: { ...etagHeader(doc) } };
}

async function change<P extends TProperties, B>(
  resource: Resource<P>,
  options: CollectionOptions<P, B>,
  read: ReadExt,
  id: ObjectId,
): Promise<Doc<P>> {
  const { request } = read;
  const body = bodyOf<B & Partial<Doc<P>>>(request);
  const previous = await storedRecord(resource, request, id);
  await options.guard?.(previous, request);
  requireMatch(previous, request);
  if (Object.keys(body).length === 0) return previous;
  if (options.update) {
    if (read.faults.length > 0) throw validationError(read.faults);
    return options.update(previous, body, request);
  }
  await requireFit(resource, body, read);
  const fields = options.prepare ? await options.prepare(body, { request, previous }) : body;
  const seen = await requireNamesUnchanged(resource, previous, fields, request, options.uses);
  const along = options.along?.(previous, fields, request);
  const stillFits = () => requireFit(resource, body, read);
  return store(resource, { previous, seen, along, stillFits }, fields, request);
}

/**
 * Refuses extension fields that do not fit and references to missing records, all in one answer. For a definition it
 * runs again inside the transaction. Only one transaction at a time changes definitions of an org, so the records that
 * exist then stay until the commit.
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
  { services, principal, now }: Request,
): Promise<Doc<P>> {
  const { set, unset } = changesOf(fields);
  const version = hasVersion(resource) ? { version: Reflect.get(previous, 'version') } : {};
  // The filter matches the record only as it was read. Otherwise `prepare` and If-Match would miss a change in between.
  const read = { org: principal.org, _id: previous._id, updatedAt: previous.updatedAt, ...version };
  const update = {
    $set: { ...set, ...updateStamps(principal, now) },
    ...(Object.keys(unset).length > 0 ? { $unset: unset } : {}),
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
      return updated;
    };
    return (await writeRecord(db, resource, principal.org, write, beside)) as unknown as Doc<P>;
  } catch (error) {
    throw uniqueFault(error, set);
  }
}

async function handleRemove<P extends TProperties, B>(
  resource: Resource<P>,
  { guard, remove, uses }: CollectionOptions<P, B>,
  request: Request,
): Promise<Answer> {
  const id = idOf(request);
  requireTag(request);
  const doc = await storedRecord(resource, request, id);
  await guard?.(doc, request);
  requireMatch(doc, request);
  if (remove) await remove(doc, request);
  else {
    const { db } = request.services;
    const one = { org: request.principal.org, _id: doc._id };
    const write = async (session?: ClientSession) => {
      if (session) await requireUnused(resource, doc, request, uses);
      return db.collection(resource.path).deleteOne(one, session && { session });
    };
    await retried(request, async () => {
      // Checked again at every attempt, because another rule set may have come into force.
      const seen = await requireUnused(resource, doc, request, uses);
      await writeRecord(db, resource, one.org, write, { seen });
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

/** Separates the fields to store from those to remove. The driver ignores undefined, so `$unset` must name them. */
function changesOf(fields: object): { set: Record<string, unknown>; unset: Record<string, ''> } {
  const entries: [string, unknown][] = Object.entries(fields);
  return {
    set: Object.fromEntries(entries.filter(([, value]) => value !== undefined)),
    unset: Object.fromEntries(entries.filter(([, value]) => value === undefined).map(([name]) => [name, ''])),
  };
}

function hasVersion(resource: Resource): boolean {
  return Object.hasOwn(resource.shape.properties, 'version');
}

/** The mount has parsed the body by the route's schema, whose type is `B`. */
function bodyOf<B>({ body }: Request): B {
  return body as B;
}
