import { bodyParser } from '@koa/bodyparser';
import { malformed, ServiceError } from '../errors';
import { depthMax, isTooDeep } from '../schema/freeObject';
import type { Route } from './route';
import type { Context } from './state';

/** Reads the JSON body of a request; an empty object when there is none, so that what is missing can be named. */
export type ReadBody = (ctx: Context) => Promise<unknown>;

const json = 'application/json';
const form = 'application/x-www-form-urlencoded';

/**
 * Makes the reader of a route's bodies.
 * @throws ServiceError 1250 for another media type or encoding, 1240 past the limit (also when it unpacks to more),
 *   1210 for malformed JSON, the key `__proto__`, or nesting beyond {@link depthMax}
 */
export function createReadBody({ bodyTypes = [], bodyMaxBytes }: Route, defaultMaxBytes: number): ReadBody {
  const types = [json, ...bodyTypes];
  const limit = String(bodyMaxBytes ?? defaultMaxBytes);
  const parse = bodyParser({
    enableTypes: bodyTypes.includes(form) ? ['json', 'form'] : ['json'],
    parsedMethods: ['POST', 'PUT', 'PATCH', 'DELETE'],
    jsonStrict: false,
    jsonLimit: limit,
    formLimit: limit,
  });
  return async (ctx) => {
    const type = ctx.request.length === 0 ? null : ctx.request.is(types);
    if (type === null) return {};
    if (type === false) throw new ServiceError('unsupportedMediaType', `The body must be ${types.join(' or ')}`);
    await parse(ctx, async () => undefined).catch((error: unknown) => refuse(error, ctx));
    if (ctx.request.rawBody === '') return {};
    // Before anything recursive sees it.
    if (isTooDeep(ctx.request.body)) throw malformed(`The body nests deeper than ${depthMax} levels`);
    return ctx.request.body;
  };
}

/** Translates what the body's parser throws; it marks its errors with the status they mean. */
function refuse(error: unknown, ctx: Context): never {
  const status = propertyOf(error, 'status');
  if (status === 413) {
    // The rest of the body is not read, so the connection cannot be used again.
    const headers = { Connection: 'close' };
    throw new ServiceError('tooLarge', 'The body is too large', { headers });
  }
  if (status === 415) throw new ServiceError('unsupportedMediaType', 'The encoding of the body is not supported');
  if (status === 400 || isUnpackError(error)) {
    throw malformed(ctx.request.is(form) ? 'The body is not a valid form' : 'The body is not valid JSON');
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
