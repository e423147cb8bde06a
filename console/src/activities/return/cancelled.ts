import type { components } from 'loyalty-client/generated/api';
import { result } from 'loyalty-client/loyaltyError';

type CancelAnswer = components['schemas']['CancelAnswer'];

/** The answer of a cancel that is done at once; the console never polls for it. */
export async function cancelled(called: Parameters<typeof result<object>>[0]): Promise<CancelAnswer> {
  const answer = await result(called);
  if (!isCancelAnswer(answer)) throw new Error('The service has accepted a cancel that it should do at once');
  return answer;
}

function isCancelAnswer(answer: object): answer is CancelAnswer {
  return 'result' in answer;
}
