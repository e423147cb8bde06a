import { Readable } from 'node:stream';
import { mapYielding } from '#base/common/yielding';
import { sentTags } from './collection/etag';
import type { Context } from './requestState';
import type { Answer } from './route';

/** Sends an answer: its status, headers and body. */
export async function sendAnswer(ctx: Context, { status, body, headers = {} }: Answer): Promise<void> {
  ctx.status = status;
  if (body instanceof Readable) sendStream(ctx, body, headers);
  else if (body !== undefined && headers['Content-Type']) ctx.body = body;
  else if (body !== undefined) {
    // The type is set before the body. Otherwise Koa would guess a type from the body.
    ctx.type = 'json';
    // Koa would serialize an object twice: once to know its length, once to send it.
    ctx.body = Array.isArray(body) ? await writeList(body) : JSON.stringify(body);
  }
  // A client may cache a record with an ETag, and revalidate it. Nothing else may be cached.
  if (ctx.state.principal) ctx.set('Cache-Control', headers.ETag === undefined ? 'no-store' : 'private, no-cache');
  ctx.set(headers);
  if (status === 200 && hasVersion(ctx)) ctx.status = 304;
}

/** Sends a stream. When it fails, the connection is cut, so that the client does not take a part for the whole. */
function sendStream(ctx: Context, body: Readable, headers: Record<string, string>): void {
  // The type is set before the body. Otherwise Koa would take it for binary data.
  ctx.set(headers);
  ctx.body = body;
  body.once('error', () => ctx.res.destroy());
}

/** Releases the stream of an answer that is not sent. */
export function discardAnswer({ body }: Answer): void {
  if (body instanceof Readable) body.destroy();
}

/** Serializes a list in turns with other work, because it may have a thousand records. */
async function writeList(list: readonly unknown[]): Promise<string> {
  return `[${(await mapYielding(list, (each) => JSON.stringify(each))).join(',')}]`;
}

/**
 * Tells whether the client already has this version (RFC 9110, If-None-Match). Unlike Koa's `fresh`, it ignores a
 * `Cache-Control: no-cache` of the request. That header is for caches on the way, and `fetch` adds it by itself.
 */
function hasVersion(ctx: Context): boolean {
  const tag = ctx.response.get('ETag');
  if (tag === '' || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return false;
  return sentTags(ctx.get('If-None-Match')).some((each) => each === '*' || each === tag);
}
