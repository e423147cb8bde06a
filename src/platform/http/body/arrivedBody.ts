import { message } from '#base/common/messages/message';
import { createSemaphore } from '#base/limits/semaphore';
import type { Infrastructure } from '#platform/infrastructure/infrastructure';
import type { Context } from '../requestState';
import type { Request, Route } from '../route';
import { toRequest } from '../toRequest';
import { unlessAborted } from '../unlessAborted';
import type { createReadBody } from './readBody';
import { receiveBody } from './receiveBody';

/** A body that has arrived. */
export interface ArrivedBody {
  /** Size in bytes after decompression; 0 for a body that the route itself receives. */
  bytes: number;
  /** `raw` is compared with the body of a repeated request; the handler gets `forHandler`. */
  parse(): Promise<{ raw: unknown; forHandler: unknown }>;
  /** Deletes what the route has kept of the body. */
  release(): Promise<void>;
}

interface BodyReader {
  route: Route;
  services: Infrastructure;
  readBody: ReturnType<typeof createReadBody>;
}

/**
 * Waits for the body of a request. A route with `receive` takes it as a stream; otherwise it is read whole, but not yet
 * parsed.
 * @throws ServiceError of {@link receiveBody} or {@link createReadBody}
 */
export async function awaitBody(
  { route, services, readBody }: BodyReader,
  ctx: Context,
  { query, endsAt }: Pick<Request, 'query' | 'endsAt'>,
): Promise<ArrivedBody> {
  if (route.receive) {
    const asking = { query, rawBody: undefined, body: undefined, endsAt };
    const received = await receiveBody(ctx, route.receive, toRequest(ctx, services, asking));
    const both = { raw: received.fingerprint, forHandler: received.body };
    return { bytes: 0, parse: async () => both, release: () => received.release() };
  }
  if (!route.body) return noBody;
  const sent = await unlessAborted(ctx.req, () => readBody(ctx));
  return { bytes: sent.bytes, parse: () => sent.parse().then((raw) => ({ raw, forHandler: raw })), release: nothing };
}

const nothing = async () => undefined;

const noBody: ArrivedBody = {
  bytes: 0,
  parse: async () => ({ raw: undefined, forHandler: undefined }),
  release: nothing,
};

/**
 * Bodies of more bytes than this are processed one at a time, because the parsed value takes many times the memory of
 * the body.
 */
const largeBytes = 2 ** 20;

const largeBodies = createSemaphore({
  atOnce: 1,
  waitingMax: 20,
  waitMaxMs: 3000,
  busyMessage: message('http.tooManyLargeBodies'),
});

/**
 * Runs the work on a body at once, or for a large body when no other large one is processed.
 * @throws ServiceError 503 when too many large bodies wait, or this one waited too long
 */
export function runForBody<T>({ bytes }: ArrivedBody, work: () => Promise<T>): Promise<T> {
  return bytes > largeBytes ? largeBodies.run(work) : work();
}
