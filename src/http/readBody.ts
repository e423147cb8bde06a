import { isUtf8 } from 'node:buffer';
import { bodyParser } from '@koa/bodyparser';
import { malformed, ServiceError } from '../errors';
import { depthMax, isTooDeep, refusedKeys } from '../schema/freeObject';
import type { Route } from './route';
import type { Context } from './state';

/** Reads the JSON body of a request; an empty object when there is none, so that what is missing can be named. */
export type ReadBody = (ctx: Context) => Promise<unknown>;

const json = 'application/json';
const form = 'application/x-www-form-urlencoded';

/**
 * Makes the reader of a route's bodies.
 * @throws ServiceError 1250 for another media type or encoding, or JSON sent as a form, 1240 past the limit (also when it
 *   unpacks to more), 1210 for malformed JSON or UTF-8, the key `__proto__` or `_bsontype`, or nesting beyond {@link depthMax}
 */
export function createReadBody({ bodyTypes = [], bodyMaxBytes }: Route, defaultMaxBytes: number): ReadBody {
  const types = [json, ...bodyTypes];
  const read = bodyParser({
    enableTypes: ['text'],
    extendTypes: { text: types },
    parsedMethods: ['POST', 'PUT', 'PATCH', 'DELETE'],
    textLimit: String(bodyMaxBytes ?? defaultMaxBytes),
    // A character a byte: as UTF-8 the parser would take what is none, with replacement characters.
    encoding: 'binary',
  });
  return async (ctx) => {
    const type = ctx.request.length === 0 ? null : ctx.request.is(types);
    if (type === null) return {};
    if (type === false) throw new ServiceError('unsupportedMediaType', `The body must be ${types.join(' or ')}`);
    await read(ctx, async () => undefined).catch(refuse);
    const text = textOf(Buffer.from(ctx.request.rawBody, 'binary'));
    if (text === '') return {};
    const body = type === form ? formFields(text) : parseJson(text);
    // Before anything recursive sees it.
    if (isTooDeep(body)) throw malformed(`The body nests deeper than ${depthMax} levels`);
    if (mayHaveRefusedKey.test(text) && hasRefusedKey(body)) {
      throw malformed(`The body has the key ${refusedKeys.join(' or ')}, which no field may have`);
    }
    return body;
  };
}

function textOf(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw malformed('The body is not valid UTF-8');
  const text = bytes.toString('utf8');
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/** The fields of a form; of one that is sent several times, all values in a list. */
function formFields(text: string): Record<string, string | string[]> {
  // What `curl -d` says of every body. As a form it would be one field whose name, a password in it, is answered.
  if (text.startsWith('{')) {
    throw new ServiceError('unsupportedMediaType', `The body looks like JSON: send it with Content-Type: ${json}`);
  }
  const sent = new URLSearchParams(text);
  return Object.fromEntries(
    [...new Set(sent.keys())].map((name) => {
      const [first = '', ...others] = sent.getAll(name);
      return [name, others.length === 0 ? first : [first, ...others]];
    }),
  );
}

function parseJson(text: string): unknown {
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

/** Translates what the body's parser throws; it marks its errors with the status they mean. */
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
