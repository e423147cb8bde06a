import { isUtf8 } from 'node:buffer';
import inflate from 'inflation';
import getRawBody from 'raw-body';
import { malformed, ServiceError } from '../common/errors';
import { mapInTurns, nextTurn } from '../common/turns';
import { refusedKeys } from '../schema/freeObject';
import { BodyScan } from './bodyScan';
import { formFields } from './formFields';
import type { Route } from './route';
import type { Context } from './state';

/** A body as it was sent. */
export interface SentBody {
  /** Bytes, unpacked. */
  bytes: number;
  /**
   * Its JSON value; an empty object when there is none, so that what is missing can be named.
   * @throws ServiceError 1210 for malformed JSON or UTF-8, the key `__proto__` or `_bsontype`
   */
  parse(): Promise<unknown>;
}

/** Reads the body of a request; what it takes to parse it waits until it is asked for. */
export type ReadBody = (ctx: Context) => Promise<SentBody>;

/** Largest body of a route that asks for no token: what strangers send costs next to nothing. */
export const openMaxBytes = 4096;

/** A body that is longer is worked on in several turns. */
const turnBytes = 65_536;

const json = 'application/json';
const form = 'application/x-www-form-urlencoded';

/** Largest body of a route in bytes. */
export function bodyMaxBytesOf({ permission, bodyMaxBytes }: Route, defaultMaxBytes: number): number {
  return permission === 'open' ? openMaxBytes : (bodyMaxBytes ?? defaultMaxBytes);
}

/**
 * Makes the reader of a route's bodies. It counts while it reads (`bodyScan.ts`), and parses the elements of a list of
 * bodies one by one, in turns with whatever else the process does.
 * @throws ServiceError 1250 for another media type or encoding, or JSON sent as a form; 1240 past the limit (also when it
 *   unpacks to more) or for too many values; 1210 for malformed JSON or UTF-8, the key `__proto__` or `_bsontype`, too many
 *   elements or nesting beyond `depthMax`
 */
export function createReadBody(route: Route, defaultMaxBytes: number): ReadBody {
  const types = [json, ...(route.bodyTypes ?? [])];
  const limit = bodyMaxBytesOf(route, defaultMaxBytes);
  const elementsMax: unknown = route.body?.type === 'array' ? route.body.maxItems : undefined;
  const list = typeof elementsMax === 'number' ? { elementsMax, elementMaxBytes: defaultMaxBytes } : undefined;
  return async (ctx) => {
    const type = ctx.request.length === 0 ? null : ctx.request.is(types);
    if (type === null) return emptyBody;
    if (type === false) throw new ServiceError('unsupportedMediaType', `The body must be ${types.join(' or ')}`);
    const scan = type === form ? undefined : new BodyScan(list);
    const bytes = await readBytes(ctx, limit, scan).catch(refuse);
    if (bytes.length === 0) return emptyBody;
    if (scan?.fault) throw scan.fault;
    return { bytes: bytes.length, parse: () => parseBytes(bytes, scan, list !== undefined) };
  };
}

const emptyBody: SentBody = { bytes: 0, parse: async () => ({}) };

async function parseBytes(bytes: Buffer, scan: BodyScan | undefined, isList: boolean): Promise<unknown> {
  if (bytes.length > turnBytes) await nextTurn();
  if (!isUtf8(bytes)) throw malformed('The body is not valid UTF-8');
  const value = scan ? await parseScanned(bytes, scan, isList) : formFields(bytes.toString('utf8'));
  if (bytes.length > turnBytes) await nextTurn();
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
  if (isList && start === undefined) throw malformed('The body must be a JSON array');
  if (start === undefined) return parseJson(withoutMark(bytes.toString('utf8')));
  const end = ends.at(-1) ?? start;
  const around = withoutMark(bytes.toString('utf8', 0, start)) + bytes.toString('utf8', end + 1);
  if (!isClosed || !isBlank(around)) throw malformed('The body is not valid JSON');
  const texts = (index: number) => bytes.toString('utf8', (ends[index] ?? 0) + 1, ends[index + 1]);
  if (ends.length === 2 && isBlank(texts(0))) return [];
  return mapInTurns(ends.slice(1), (_end, index) => parseJson(texts(index)));
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
    throw malformed(`The body has the key ${refusedKeys.join(' or ')}, which no field may have`);
  }
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw malformed('The body is not valid JSON');
  }
}

/** A refused key, perhaps with escapes; texts that only look so are told apart by {@link hasRefusedKey}. */
const mayHaveRefusedKey = /__proto__|_bsontype|\\u00/i;

function hasRefusedKey(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return refusedKeys.some((key) => Object.hasOwn(value, key)) || Object.values(value).some(hasRefusedKey);
}

/** Translates what reading throws; errors are marked with the status they mean. */
function refuse(error: unknown): never {
  const status = propertyOf(error, 'status');
  if (status === 413) {
    // The rest of the body is not read, so the connection cannot be used again.
    const headers = { Connection: 'close' };
    throw new ServiceError('tooLarge', 'The body is too large', { headers });
  }
  if (status === 415) throw new ServiceError('unsupportedMediaType', 'The encoding of the body is not supported');
  if (status === 400 || isUnpackError(error)) {
    throw malformed('The body is not of the encoding or length that its headers say');
  }
  throw error;
}

/** Tells errors of gzip and deflate (`Z_…`) and of Brotli (`ERR__ERROR_FORMAT_…`) from others. */
function isUnpackError(error: unknown): boolean {
  return /^(?:Z|ERR__ERROR)_/.test(String(propertyOf(error, 'code')));
}

function propertyOf(error: unknown, name: 'status' | 'code'): unknown {
  return typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;
}
