import assert from 'node:assert';
import { isDeepStrictEqual } from 'node:util';
import { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { type FieldError, ServiceError } from '#base/common/errors';
import { type Message, message, pickMessage } from '#base/common/messages/message';
import { isPlainObject } from '#base/common/plainObject';
import { joinPath } from '#base/schema/joinPath';
import type { Resource } from '#base/schema/resource';
import { listUniqueFields } from '#exchange/definitions/definitionKeys';
import type { ExampleRecord } from './exampleRecords';

/** Sends `/api/v1/<path>?preprocess=true`, with the rights of the org's admin. */
export type SendRecord = (
  method: 'POST' | 'PATCH',
  path: string,
  body: unknown,
) => Promise<{ status: number; body: unknown }>;

/** What became of a definition. */
export interface LoadedDefinition {
  resource: Resource;
  /** What people call it: its code, name, number … */
  label: string;
  /** `there`: a record with its unique fields was there before. `changed`: so it was, and the load changed it. */
  state: 'made' | 'there' | 'changed';
  /** Where the record that was there differed from the definition. */
  differs: Difference[];
}

/** What {@link loadDefinitions} needs. */
export interface LoadInput {
  db: Connection;
  org: ObjectId;
  send: SendRecord;
  records: readonly ExampleRecord[];
  /** Whether definitions that are there and differ become those of the example. Records of customers never change. */
  replaces: boolean;
}

/**
 * Makes the records of an example that are not there yet, one after the other. The unique fields of a record say whether
 * it is there. So a second load makes nothing, and an interrupted load is completed.
 * @throws ServiceError 1200 with the faults of the first definition that is refused; 1310 when the service does not
 *   answer in time
 */
export async function loadDefinitions(input: LoadInput): Promise<LoadedDefinition[]> {
  const loaded: LoadedDefinition[] = [];
  /** Ids in the database, by the made-up ids of the records. */
  const ids = new Map<string, string>();
  for (const each of input.records) {
    const { definition, record } = each;
    const { resource, place, body } = definition;
    const answer = await input.send('POST', withLookups(resource.path), body);
    const isMade = answer.status === 201;
    if (!isMade) requireTaken(place, answer);
    const stored = isMade ? undefined : await findStored(input, resource, withIds(record, ids));
    const id = isMade ? createdId(answer.body) : stored?._id.toHexString();
    ids.set(record._id.toHexString(), id ?? '');
    const differs = stored ? recordDifferences(body, withIds(record, ids), stored) : [];
    const isChanged = stored !== undefined && differs.length > 0 && input.replaces && isDefinition(resource);
    if (isChanged) await change(input.send, each, stored, differs);
    const state = isMade ? 'made' : isChanged ? 'changed' : 'there';
    loaded.push({ resource, label: definitionLabel(body, place), state, differs });
  }
  return loaded;
}

/** Whether program managers write the records. Changes in records of customers are no difference to fix. */
export function isDefinition({ access }: Resource): boolean {
  return access === 'managed' || access === 'catalog';
}

async function change(
  send: SendRecord,
  { definition: { resource, place, body } }: ExampleRecord,
  { _id }: StoredRecord,
  differs: readonly Difference[],
): Promise<void> {
  const fields = Object.fromEntries(differs.map(({ field }) => [field, body[field]]));
  const answer = await send('PATCH', withLookups(`${resource.path}/${_id.toHexString()}`), fields);
  if (answer.status !== 200) throw definitionRefusal(place, answer);
}

function withLookups(path: string): string {
  return `/${path}?preprocess=true`;
}

/** @throws ServiceError when the answer says anything else than that a record with these unique fields is there */
function requireTaken(place: string, answer: { status: number; body: unknown }): void {
  const { errors = [] } = answer.body as { errors?: FieldError[] };
  if (answer.status === 422 && errors.length > 0 && errors.every(({ kind }) => kind === 'unique')) return;
  throw definitionRefusal(place, answer);
}

function definitionRefusal(place: string, { status, body }: { status: number; body: unknown }): ServiceError {
  const { errors = [], ...whole } = body as { errors?: FieldError[] } & Partial<Message>;
  const fault = isMessage(whole) ? pickMessage(whole) : message('words.errorName', { error: status });
  const faults = errors.length > 0 ? errors : [{ ...fault, path: '', kind: String(status) }];
  return new ServiceError(status === 503 ? 'unavailable' : 'validation', message('examples.refused', { place }), {
    errors: faults.map(({ path, ...rest }) => ({ ...rest, path: path === '' ? place : joinPath(place, path) })),
  });
}

function isMessage(answer: Partial<Message>): answer is Message {
  return answer.message !== undefined;
}

function createdId(body: unknown): string {
  assert(isPlainObject(body) && typeof body._id === 'string', 'the answer of a creation is the record');
  return body._id;
}

/** The record with the ids of the database. A record that is there and was not found has none: its fields are left out. */
function withIds(record: Record<string, unknown>, ids: ReadonlyMap<string, string>): Record<string, unknown> {
  const isKnown = (value: unknown) =>
    [...ids].every(([made, id]) => id !== '' || !JSON.stringify(value).includes(made));
  const fields = Object.entries(record).filter(([, value]) => value !== undefined && isKnown(value));
  return Object.fromEntries(fields.map(([name, value]) => [name, replaced(value, ids)]));
}

function replaced(value: unknown, ids: ReadonlyMap<string, string>): unknown {
  if (value instanceof ObjectId) return new ObjectId(ids.get(value.toHexString()) ?? value);
  if (typeof value === 'string') return ids.get(value) ?? value;
  if (Array.isArray(value)) return value.map((each) => replaced(each, ids));
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, replaced(each, ids)]));
}

/** Finds the record with the unique fields of another one; undefined when these are computed by the service. */
async function findStored(
  { db, org }: Pick<LoadInput, 'db' | 'org'>,
  resource: Resource,
  record: Record<string, unknown>,
): Promise<StoredRecord | undefined> {
  const unique = listUniqueFields(resource).find((names) => names.every((name) => record[name] !== undefined));
  if (!unique) return undefined;
  const filter = Object.fromEntries(unique.map((name) => [name, record[name]]));
  return (await db.collection<StoredRecord>(resource.path).findOne({ org, ...filter })) ?? undefined;
}

function definitionLabel(body: Record<string, unknown>, place: string): string {
  const named = ['code', 'sku', 'number', 'value', 'loyaltyID', 'name'].flatMap((name) => body[name] ?? []);
  return String(named[0] ?? place);
}

/** A record of the database. */
type StoredRecord = Record<string, unknown> & { _id: ObjectId };

/** A field of a stored record with another value than the definition gives it. Both values are as JSON has them. */
interface Difference {
  field: string;
  stored: unknown;
  defined: unknown;
}

/**
 * The fields of a definition with different stored values. A field that only the stored record has is no difference.
 * @param body the definition as written; its fields are compared
 * @param record the same, parsed and with the ids of the database; fields that it does not have are not compared
 */
function recordDifferences(
  body: Record<string, unknown>,
  record: Record<string, unknown>,
  stored: StoredRecord,
): Difference[] {
  const fields = Object.keys(body).filter((name) => name in record);
  const all = fields.map((field) => ({ field, stored: asJson(stored[field]), defined: asJson(record[field]) }));
  return all.filter((each) => !isDeepStrictEqual(each.stored, each.defined));
}

function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null));
}
