import { ServiceError } from '#base/common/errors';
import { message } from '#base/common/messages/message';

/** Exports that a user may read at once in a process, and all users together. */
const exportsAtOnce = { user: 2, process: 8 } as const;

const running = new Map<string, number>();

/**
 * Runs an export until its last text was read, or its reader has gone.
 * @throws ServiceError 1260 at once when too many exports run
 */
export async function* limitExports(
  user: string,
  texts: AsyncGenerator<string, void, undefined>,
): AsyncGenerator<string, void, undefined> {
  const all = [...running.values()].reduce((sum, count) => sum + count, 0);
  const own = running.get(user) ?? 0;
  if (own >= exportsAtOnce.user || all >= exportsAtOnce.process) throw tooMany();
  running.set(user, own + 1);
  try {
    yield* texts;
  } finally {
    const left = (running.get(user) ?? 1) - 1;
    if (left > 0) running.set(user, left);
    else running.delete(user);
  }
}

function tooMany(): ServiceError {
  return new ServiceError('rateLimited', message('exchange.tooManyExports'), {
    headers: { 'Retry-After': '10' },
  });
}
