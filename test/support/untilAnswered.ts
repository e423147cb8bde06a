import { setTimeout as sleep } from 'node:timers/promises';
import type { Response } from './client';

/**
 * Sends a request again while the answer is 503, as clients do: a busy machine may answer so at any time. The request
 * must be safe to repeat.
 */
export async function untilAnswered(send: () => Promise<Response>): Promise<Response> {
  for (;;) {
    const answer = await send();
    if (answer.status !== 503) return answer;
    await sleep(10);
  }
}
