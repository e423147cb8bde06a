import type { InCommit } from '#base/db/transaction';
import type { Answer, Request } from '../route';

/**
 * Answers a request with what it makes. When the request has an Idempotency-Key, the answer is stored in the
 * transaction that makes it.
 * @param make must pass `inCommit` on, if there is one, to be called at the end of its transaction
 */
export async function keptAnswer<T>(
  { keepAnswer }: Pick<Request, 'keepAnswer'>,
  answered: (made: T) => Answer | Promise<Answer>,
  make: (inCommit?: InCommit<T>) => Promise<T>,
): Promise<Answer> {
  if (!keepAnswer) return answered(await make());
  let kept: Answer | undefined;
  const made = await make(async (each, session) => {
    kept = await answered(each);
    await keepAnswer(kept, session);
  });
  return kept ?? answered(made);
}
