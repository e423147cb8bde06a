import type { IncomingMessage } from 'node:http';
import { type Failure, failure } from '#base/common/failure';
import { type Message, message } from '#base/common/messages/message';
import { answerLimits } from '#records/webhooks/webhookDelivery';

/** Most bytes that are read of an answer, so that a connection can be used again after a short one. */
const readMaxBytes = 16_384;

/** The beginning of the body of an answer; absent when it is empty. The failure says why the body has no end. */
export interface ReadAnswer extends Partial<Failure> {
  answer?: string;
}

/**
 * Reads the beginning of the body of an answer: at most 1 kB of it is returned. It stops at a limit of bytes and of
 * time and then ends the connection, whatever else the receiver would send.
 */
export async function readAnswer(answer: IncomingMessage, maxMs: number): Promise<ReadAnswer> {
  const chunks: Buffer[] = [];
  let read = 0;
  const ended = new Promise<Message | undefined>((resolve) => {
    const timer = setTimeout(() => resolve(message('webhooks.answerNotEnded')), maxMs);
    const end = (fault?: Message) => {
      clearTimeout(timer);
      resolve(fault);
    };
    answer.on('data', (chunk: Buffer) => {
      if (read < answerLimits.bodyMaxBytes) chunks.push(chunk.subarray(0, answerLimits.bodyMaxBytes - read));
      read += chunk.length;
      if (read > readMaxBytes) end(message('webhooks.answerTooLong'));
    });
    answer.on('end', () => end());
    answer.on('error', () => end(message('webhooks.answerCutOff')));
  });
  const fault = await ended;
  if (fault !== undefined) answer.destroy();
  const text = legible(Buffer.concat(chunks));
  return { ...(text === '' ? {} : { answer: text }), ...(fault === undefined ? {} : failure(fault)) };
}

/** The answer as text without control characters. It has at most as many characters as the answer has bytes. */
function legible(bytes: Buffer): string {
  return bytes.toString('utf8').replace(/[^\P{Control}\t\n]/gu, '\uFFFD');
}
