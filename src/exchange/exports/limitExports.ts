import { ServiceError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { createUserSlots } from '#base/limits/userSlots';

const takeSlot = createUserSlots({
  perUser: 2,
  inAll: 8,
  refused: () =>
    new ServiceError('rateLimited', message('exchange.tooManyExports'), { headers: { 'Retry-After': '10' } }),
});

/**
 * Limits concurrent exports. Passes on the texts of one until the last one was read, or its reader has gone.
 * @throws ServiceError 1260 at once when too many exports run
 */
export async function* limitExports(
  user: string,
  texts: AsyncGenerator<string, void, undefined>,
): AsyncGenerator<string, void, undefined> {
  const free = takeSlot(user);
  try {
    yield* texts;
  } finally {
    free();
  }
}
