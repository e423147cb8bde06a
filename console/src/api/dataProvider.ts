import { result as answerOf, LoyaltyError } from 'loyalty-client/loyaltyError';
import type { DataProvider, GetListParams, Identifier, RaRecord } from 'react-admin';
import { messageText } from '../i18n/i18nProvider';
import { changesOf, withoutEmpty } from './changes';
import { client } from './client';
import { forForm } from './formFaults';

/** A record of a collection, as pages have it: with `id`, and the version that a save expects. */
export type ConsoleRecord = RaRecord<string> & { etag?: string };

/** The paths of all collections have the same arguments and answers; this one represents all of them. */
type AnyList = '/api/v1/programs';
type AnyCount = '/api/v1/programs/count';
type AnyRecord = '/api/v1/programs/{id}';

const listOf = (resource: string) => `/api/v1/${resource}` as AnyList;
const countOf = (resource: string) => `/api/v1/${resource}/count` as AnyCount;
const recordOf = (resource: string) => `/api/v1/${resource}/{id}` as AnyRecord;
const one = (id: Identifier) => ({ path: { id: String(id) } });

/**
 * Reads and writes the collections of the API for react-admin. A resource is the path of a collection. A filter is a
 * list of arguments of the query language: `{ name: '~gold', query: '{"status":"Active"}' }`.
 */
export const dataProvider = {
  async getList(resource, { filter = {}, ...params }: GetListParams) {
    const query = { ...filter, ...argumentsOf(params) };
    const [data, total] = await Promise.all([list(resource, query), count(resource, filter)]);
    return { data, total };
  },

  async getOne(resource, { id }) {
    const called = await client.GET(recordOf(resource), { params: one(id) });
    const record = toRecord(await result(called));
    const etag = called.response.headers.get('etag');
    return { data: etag === null ? record : { ...record, etag } };
  },

  async getMany(resource, { ids }) {
    const known = [...new Set(ids.map(String))];
    const query = JSON.stringify({ _id: { $in: known } });
    return { data: await list(resource, { query, limit: Math.max(known.length, 1) }) };
  },

  async getManyReference(resource, { target, id, filter = {}, ...params }) {
    const own = { ...filter, [target]: String(id) };
    const query = { ...own, ...argumentsOf(params) };
    const [data, total] = await Promise.all([list(resource, query), count(resource, own)]);
    return { data, total };
  },

  async create(resource, { data }) {
    const body = withoutEmpty(data);
    const made = await forForm(result(client.POST(listOf(resource), { body: body as never })));
    return { data: toRecord(made) };
  },

  async update(resource, { id, data, previousData }) {
    const { etag } = previousData as ConsoleRecord;
    const headers = etag === undefined ? {} : { headers: { 'If-Match': etag } };
    const body = changesOf(previousData, data) as never;
    const called = await client.PATCH(recordOf(resource), { params: one(id), body, ...headers });
    const record = toRecord(await forForm(result(called)));
    const now = called.response.headers.get('etag');
    return { data: now === null ? record : { ...record, etag: now } };
  },

  async updateMany(resource, { ids, data }) {
    const body = data as never;
    for (const id of ids) await result(client.PATCH(recordOf(resource), { params: one(id), body }));
    return { data: ids };
  },

  async delete(resource, { id, previousData }) {
    const { etag } = (previousData ?? {}) as ConsoleRecord;
    const headers = etag === undefined ? {} : { headers: { 'If-Match': etag } };
    await result(client.DELETE(recordOf(resource), { params: one(id), ...headers }));
    return { data: (previousData ?? { id }) as ConsoleRecord };
  },

  async deleteMany(resource, { ids }) {
    for (const id of ids) await result(client.DELETE(recordOf(resource), { params: one(id) }));
    return { data: ids };
  },
} as DataProvider;

/** The body of an answer. The message of a fault is in the language of the console: react-admin shows it as it is. */
async function result<T>(called: Parameters<typeof answerOf<T>>[0]): Promise<T> {
  try {
    return await answerOf(called);
  } catch (error) {
    if (error instanceof LoyaltyError) error.message = messageText(error);
    throw error;
  }
}

/** The page and order of a list as arguments. */
function argumentsOf({ pagination, sort }: Pick<GetListParams, 'pagination' | 'sort'>): Record<string, unknown> {
  const { page = 1, perPage = 25 } = pagination ?? {};
  const field = sort?.field === 'id' ? '_id' : sort?.field;
  const order = field ? { sort: sort?.order === 'DESC' ? `-${field}` : field } : {};
  return { skip: (page - 1) * perPage, limit: perPage, ...order };
}

async function list(resource: string, query: Record<string, unknown>): Promise<ConsoleRecord[]> {
  const records = await result(client.GET(listOf(resource), { params: { query: query as never } }));
  return records.map(toRecord);
}

async function count(resource: string, query: Record<string, unknown>): Promise<number> {
  const counted = await result(client.GET(countOf(resource), { params: { query: query as never } }));
  return counted.count;
}

/** The id of a record is `id` in the console. A field of that name, which entries of the audit log have, is `key` then. */
function toRecord(record: { _id: string; id?: string }): ConsoleRecord {
  const { id, ...others } = record;
  return { ...others, ...(id === undefined ? {} : { key: id }), id: record._id };
}
