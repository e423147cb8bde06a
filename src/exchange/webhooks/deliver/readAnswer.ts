import type { IncomingMessage } from 'node:http';
import { answerLimits } from '#records/webhooks/webhookDelivery';

/** Most bytes that are read of an answer, so that a connection can be used again after a short one. */
const readMaxBytes = 16_384;

/**
 * Reads the beginning of the body of an answer: at most 1 kB of it is returned. It stops at a limit of bytes and of
 * time and then ends the connection, whatever else the receiver would send.
 * @returns `answer` is absent when the body is empty; `error` says why the body has no end
 */
export async function readAnswer(answer: IncomingMessage, maxMs: number): Promise<{ answer?: string; error?: string }> {
  const chunks: Buffer[] = [];
  let read = 0;
  const ended = new Promise<string | undefined>((resolve) => {
    const timer = setTimeout(() => resolve('the answer did not end in time'), maxMs);
    const end = (error?: string) => {
      clearTimeout(timer);
      resolve(error);
    };
    answer.on('data', (chunk: Buffer) => {
      if (read < answerLimits.bodyMaxBytes) chunks.push(chunk.subarray(0, answerLimits.bodyMaxBytes - read));
      read += chunk.length;
      if (read > readMaxBytes) end('the answer is too long');
    });
    answer.on('end', () => end());
    answer.on('error', () => end('the answer was cut off'));
  });
  const error = await ended;
  if (error !== undefined) answer.destroy();
  const text = legible(Buffer.concat(chunks));
  return { ...(text === '' ? {} : { answer: text }), ...(error === undefined ? {} : { error }) };
}

/** The answer as text without control characters. It has at most as many characters as the answer has bytes. */
function legible(bytes: Buffer): string {
  return bytes.toString('utf8').replace(/[^\P{Control}\t\n]/gu, '\uFFFD');
}
