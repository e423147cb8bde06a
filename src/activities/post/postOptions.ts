import { createHash, randomUUID } from 'node:crypto';
import type { ObjectId } from 'bson';
import type { Outcome, RequestKey } from '#activities/state/pipelineRequest';
import { canonicalJson } from '#base/common/canonicalJson';
import { malformed } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { derivedId } from '#base/db/records';
import { dateArgument } from '#base/query/dateArgument';
import type { Language } from '#base/words/language';
import { sentKey } from '#platform/http/keys/sentKey';
import { readLanguage } from '#platform/http/languageArgument';

const sections = ['log', 'errors', 'data'] as const;

/** The sections of a result that the client asks for. */
type Sections = ReadonlySet<(typeof sections)[number]>;

/** The query arguments of posting an activity (SPEC endpoint 6, docs/design/activities.md). */
export interface PostOptions {
  sections: Sections;
  /** False: the service evaluates and answers, but writes nothing. */
  persist: boolean;
  isAsync: boolean;
  /** True: the answer lists every rule of the activity's type with its reason. */
  explain: boolean | 'all';
  /** The language of these reasons. */
  language: Language;
  /** With `persist=false` only: the instant that counts as now. */
  asOf: Date | undefined;
}

/**
 * Reads the query arguments of a post or a cancel. The boolean ones are known to be true or false.
 * @throws ServiceError 1210 naming the argument
 */
export function parsePostOptions(query: Record<string, string>): PostOptions {
  const persist = flag(query, 'persist', true);
  const isAsync = flag(query, 'async', false);
  if (isAsync && !persist) throw malformed(message('activities.asyncAndPersist'));
  if (query.asOf !== undefined && persist) throw malformed(message('activities.asOfNeedsPersist'));
  return {
    sections: parseSections(query.filter),
    persist,
    isAsync,
    explain: flag(query, 'explain', false) && (flag(query, 'all', false) ? 'all' : true),
    language: readLanguage(query),
    asOf: parseAsOf(query.asOf),
  };
}

function flag(query: Record<string, string>, name: string, fallback: boolean): boolean {
  return query[name] === undefined ? fallback : query[name] === 'true';
}

function parseSections(filter: string | undefined): Sections {
  if (filter === undefined || filter === 'all') return new Set(sections);
  const wanted = filter.split(',').map((section) => section.trim());
  const known = sections.filter((section) => wanted.includes(section));
  if (known.length !== new Set(wanted).size) throw malformed(message('activities.filterValues'));
  return new Set(known);
}

function parseAsOf(asOf: string | undefined): Date | undefined {
  return asOf === undefined ? undefined : dateArgument('asOf', asOf);
}

/** The result, reduced to the sections in `shown`. */
export function shownResult(result: Outcome['result'], shown: Sections): Partial<Outcome['result']> {
  return Object.fromEntries(Object.entries(result).filter(([section]) => shown.has(section as 'log')));
}

/** The parts of an HTTP request that decide its idempotency key and hash. `body` is as sent. */
interface KeyedRequest {
  route: string;
  body: unknown;
  externalTxnId: string | undefined;
  headers: Record<string, string | undefined>;
  /** When a key of the header ends. */
  keptUntil: Date;
}

/**
 * The idempotency key of a request: its externalTxnId, else the header Idempotency-Key, else undefined.
 * @throws ServiceError 1210 when the header is empty or longer than 255 characters
 */
export function requestKey({ route, body, externalTxnId, headers, keptUntil }: KeyedRequest): RequestKey | undefined {
  const hash = () => requestHash(route, body);
  if (externalTxnId !== undefined) return { key: externalTxnId, hash: hash() };
  const sent = sentKey(headers);
  return sent === undefined ? undefined : { key: sent, hash: hash(), expiresAt: keptUntil };
}

/** The key of an asynchronous request. When the client sent none, it is a new random one. */
export function requestKeyOrNew(request: KeyedRequest): RequestKey {
  return requestKey(request) ?? { key: randomUUID(), hash: requestHash(request.route, request.body) };
}

/**
 * The key of an activity of a bulk post that has an Idempotency-Key but no externalTxnId: always the same for the same
 * place in the same bulk post.
 */
export function bulkEntryKey({ bulkKey, index, org, keptUntil, ...request }: BulkEntry): RequestKey {
  const key = derivedId('bulk', org, bulkKey, index).toHexString();
  return { key, hash: requestHash(request.route, request.body), expiresAt: keptUntil };
}

/** An activity of a bulk post. */
interface BulkEntry extends Pick<KeyedRequest, 'route' | 'body' | 'keptUntil'> {
  org: ObjectId;
  bulkKey: string;
  index: number;
}

/**
 * SHA-256 of the route and the parsed body as sent, with its fields sorted at every level. Two posts with one key are
 * the same request when their hashes are equal (docs/design/activities.md).
 */
function requestHash(route: string, body: unknown): string {
  return createHash('sha256').update(route).update('\n').update(canonicalJson(body)).digest('hex');
}
