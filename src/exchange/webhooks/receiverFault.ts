import { setTimeout } from 'node:timers/promises';
import type { Message } from '#base/common/messages/message';
import { createResolveHost, type GuardOptions, RefusedAddress } from './guard/resolveHost';
import { bareHost, notPublic, urlFault } from './guard/urlFault';

/** How long a request waits for the name of a receiver, in milliseconds. */
const resolveMaxMs = 1500;

/**
 * Says why events cannot be posted to a URL; undefined when they can. A name that is not resolved in time, or has no
 * address yet, is no fault: every delivery resolves it again and checks what it finds.
 */
export async function receiverFault(url: string, options: GuardOptions): Promise<Message | undefined> {
  const fault = urlFault(url, options.isPrivateAllowed);
  if (fault !== undefined || options.isPrivateAllowed) return fault;
  const late = new AbortController();
  const resolved = createResolveHost(options)(bareHost(new URL(url))).then(
    () => undefined,
    (error: unknown) => (error instanceof RefusedAddress ? notPublic : undefined),
  );
  const limit = setTimeout(resolveMaxMs, undefined, { signal: late.signal, ref: false }).catch(() => undefined);
  const found = await Promise.race([resolved, limit]);
  late.abort();
  return found;
}
