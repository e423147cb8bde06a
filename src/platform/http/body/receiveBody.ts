import { PassThrough, type Readable } from 'node:stream';
import inflate from 'inflation';
import type { Context } from '../requestState';
import type { Receive, Received, Request } from '../route';
import { allowSlowBody } from '../slowBodies';
import { abortedError, isAborted } from '../unlessAborted';
import { refuseUnreadable } from './refuseUnreadable';

/**
 * Lets a route receive the body of a request, however long the client takes for it.
 * @throws ServiceError 1250 for an unknown encoding; 1210 when the body breaks off; what `receive` throws
 */
export async function receiveBody(ctx: Context, receive: Receive, request: Request): Promise<Received> {
  allowSlowBody(ctx.req);
  const stream = inflated(ctx);
  // A reader of the stream handles its errors. While there is none, an error would end the process without this
  // listener.
  stream.on('error', () => undefined);
  // When the client leaves, decompression would wait for the rest of the body forever.
  const endBroken = () => {
    if (isAborted(ctx.req)) stream.destroy(abortedError());
  };
  ctx.req.once('close', endBroken);
  endBroken();
  try {
    return await receive(request, stream);
  } catch (error) {
    // The rest of the body is not read, so the connection cannot be used again.
    if (!ctx.req.complete) ctx.set('Connection', 'close');
    return refuseUnreadable(error);
  }
}

/**
 * The body of a request without its compression. It is never the request itself: a reader that stops destroys its
 * stream, and the connection would end before the answer.
 */
function inflated(ctx: Context): Readable {
  try {
    const stream = inflate(ctx.req);
    return stream === ctx.req ? stream.pipe(new PassThrough()) : stream;
  } catch (error) {
    return refuseUnreadable(error);
  }
}
