import type { Readable } from 'node:stream';
import inflate from 'inflation';
import { malformed } from '../common/errors';
import { refuseUnreadable } from './refuseUnreadable';
import type { Receive, Received, Request } from './route';
import type { Context } from './state';
import { letTakeItsTime } from './unhurried';

/**
 * Lets a route receive the body of a request, however long the client takes for it.
 * @throws ServiceError 1250 for an unknown encoding; 1210 when the body breaks off; what `receive` throws
 */
export async function receiveBody(ctx: Context, receive: Receive, request: Request): Promise<Received> {
  letTakeItsTime(ctx.req);
  const stream = inflated(ctx);
  // Decompression would wait for the rest for ever.
  ctx.req.once('close', () => {
    if (!ctx.req.complete) stream.destroy(malformed('The body breaks off'));
  });
  try {
    return await receive(request, stream);
  } catch (error) {
    // The rest of the body is not read, so the connection cannot be used again.
    if (!ctx.req.complete) ctx.set('Connection', 'close');
    return refuseUnreadable(error);
  }
}

function inflated(ctx: Context): Readable {
  try {
    return inflate(ctx.req);
  } catch (error) {
    return refuseUnreadable(error);
  }
}
