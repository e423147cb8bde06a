import type { Response } from '../support/client';

/** The longest time of an answer to hostile input, in milliseconds. */
const answerMaxMs = 1000;

/**
 * Sends hostile input and checks the rules for every answer: no status 500, no stack, none of the texts in `never`, and
 * at most one second. A slow answer gets a second try, because the machine may be busy.
 */
export async function safely(send: () => Promise<Response>, never: readonly string[] = []): Promise<Response> {
  const first = await timed(send);
  const { response, ms } = first.ms <= answerMaxMs ? first : await timed(send);
  const text = JSON.stringify(response.body ?? '');
  expect(response.status).not.toBe(500);
  expect(text).not.toMatch(/\.[jt]s:\d|node_modules|Mongo|ECONN/);
  for (const secret of never) expect(text).not.toContain(secret);
  expect(ms).toBeLessThan(answerMaxMs);
  return response;
}

async function timed(send: () => Promise<Response>): Promise<{ response: Response; ms: number }> {
  const startedAt = performance.now();
  const response = await send();
  return { response, ms: performance.now() - startedAt };
}
