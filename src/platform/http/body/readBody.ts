import { isUtf8 } from 'node:buffer';
import inflate from 'inflation';
import getRawBody from 'raw-body';
import { malformed, ServiceError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { mapYielding, yieldNow } from '#base/common/yielding';
import { refusedKeys } from '#base/schema/freeObject';
import type { Context } from '../requestState';
import { type Route, routeBodyMaxBytes } from '../route';
import { BodyScan } from './bodyScan';
import { refuseUnreadable } from './refuseUnreadable';

/** A request body, read but not yet parsed. */
export interface SentBody {
  /** Size in bytes after decompression. */
  bytes: number;
  /**
   * Parses the JSON value. Without a body it is an empty object, so that errors can name the missing fields.
   * @throws ServiceError 1210 for malformed JSON or UTF-8, the key `__proto__` or `_bsontype`
   */
  parse(): Promise<unknown>;
}

/** Reads the body of a request. The body is parsed only when `parse` is called. */
type ReadBody = (ctx: Context) => Promise<SentBody>;

/** For a body of more bytes than this, other work runs before and after parsing. */
const turnBytes = 65_536;

const json = 'application/json';

const form = 'application/x-www-form-urlencoded';

/**
 * Makes the reader of a route's bodies. It counts values while it reads ({@link BodyScan}). It parses the elements of a
 * list of bodies one by one, in turns with other work.
 * @throws ServiceError 1250 for another media type, character set or encoding, or JSON sent as a form; 1240 when the
 *   body is too large (also only after decompression) or has too many values; 1210 for malformed JSON or UTF-8, the key
 *   `__proto__` or `_bsontype`, too many elements or nesting beyond `depthMax`
 */
export function createReadBody(route: Route, defaultMaxBytes: number): ReadBody {
  const types = [json, ...(route.bodyTypes ?? [])];
  const limit = routeBodyMaxBytes(route, defaultMaxBytes);
  const elementsMax: unknown = route.body?.type === 'array' ? route.body.maxItems : undefined;
  const list = typeof elementsMax === 'number' ? { elementsMax, elementMaxBytes: defaultMaxBytes } : undefined;
  return async (ctx) => {
    const type = ctx.request.length === 0 ? null : ctx.request.is(types);
    if (type === null) return emptyBody;
    if (type === false)
      throw new ServiceError('unsupportedMediaType', message('http.bodyType', { types: types.join(' or ') }));
    if (!unicodeNames.has(ctx.request.charset.toLowerCase()))
      throw new ServiceError('unsupportedMediaType', message('http.bodyCharset'));
    const scan = type === form ? undefined : new BodyScan(list);
    const bytes = await readBytes(ctx, limit, scan).catch(refuseUnreadable);
    if (bytes.length === 0) return emptyBody;
    if (scan?.fault) throw scan.fault;
    return { bytes: bytes.length, parse: () => parseBytes(bytes, scan, list !== undefined) };
  };
}

/** The names of UTF-8 and of its part ASCII. No name means UTF-8, as RFC 8259 has it for JSON. */
const unicodeNames = new Set(['', 'utf-8', 'utf8', 'us-ascii', 'ascii']);

const emptyBody: SentBody = { bytes: 0, parse: async () => ({}) };

async function parseBytes(bytes: Buffer, scan: BodyScan | undefined, isList: boolean): Promise<unknown> {
  if (bytes.length > turnBytes) await yieldNow();
  if (!isUtf8(bytes) || bytes.includes(0)) throw malformed(message('http.bodyNotUtf8'));
  const value = scan ? await parseScanned(bytes, scan, isList) : formFields(bytes.toString('utf8'));
  if (bytes.length > turnBytes) await yieldNow();
  return value;
}

async function readBytes(ctx: Context, limit: number, scan: BodyScan | undefined): Promise<Buffer> {
  const stream = inflate(ctx.req);
  if (scan) stream.on('data', (chunk: Buffer) => scan.push(chunk));
  const isPacked = stream !== ctx.req;
  return getRawBody(stream, { limit, length: isPacked ? null : (ctx.request.length ?? null) });
}

async function parseScanned(bytes: Buffer, { ends, isClosed }: BodyScan, isList: boolean): Promise<unknown> {
  const [start] = ends;
  if (isList && start === undefined) throw malformed(message('http.bodyNotList'));
  if (start === undefined) return parseJson(withoutMark(bytes.toString('utf8')));
  const end = ends.at(-1) ?? start;
  const around = withoutMark(bytes.toString('utf8', 0, start)) + bytes.toString('utf8', end + 1);
  if (!isClosed || !isBlank(around)) throw malformed(message('http.body', { fault: message('http.notJson') }));
  const texts = (index: number) => bytes.toString('utf8', (ends[index] ?? 0) + 1, ends[index + 1]);
  if (ends.length === 2 && isBlank(texts(0))) return [];
  return mapYielding(ends.slice(1), (_end, index) => parseJson(texts(index)));
}

/**
 * Reads one JSON value with the bounds of a body.
 * @throws ServiceError 1210, 1240 as for a body
 */
export function readJson(bytes: Buffer): unknown {
  const scan = new BodyScan();
  scan.push(bytes);
  if (scan.fault) throw scan.fault;
  if (!isUtf8(bytes)) throw malformed(message('http.notUtf8'));
  return parseJson(bytes.toString('utf8'));
}

function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

function isBlank(text: string): boolean {
  return /^[ \t\n\r]*$/.test(text);
}

function parseJson(text: string): unknown {
  const value = parse(text);
  if (mayHaveRefusedKey.test(text) && hasRefusedKey(value)) {
    throw malformed(message('http.body', { fault: message('http.refusedKey', { keys: refusedKeys.join(' or ') }) }));
  }
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw malformed(message('http.body', { fault: message('http.notJson') }));
  }
}

/** Matches a text that may have a refused key, also one written with escapes. {@link hasRefusedKey} then decides. */
const mayHaveRefusedKey = /__proto__|_bsontype|\\u00/i;

function hasRefusedKey(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return refusedKeys.some((key) => Object.hasOwn(value, key)) || Object.values(value).some(hasRefusedKey);
}

/**
 * Reads the fields of a form in one pass, however many names there are. A field that is sent several times becomes a
 * list of its values.
 * @throws ServiceError 1250 for JSON that is sent as a form
 */
function formFields(text: string): Record<string, string | string[]> {
  // `curl -d` sends every body as a form. JSON would become one field with the whole text as its name. An error would
  // then name that field, with any password in it.
  if (text.startsWith('{')) {
    throw new ServiceError('unsupportedMediaType', message('http.bodyLooksLikeJson'));
  }
  const fields = new Map<string, string | string[]>();
  for (const [name, value] of new URLSearchParams(text)) {
    const before = fields.get(name);
    if (Array.isArray(before)) before.push(value);
    else fields.set(name, before === undefined ? value : [before, value]);
  }
  return Object.fromEntries(fields);
}
