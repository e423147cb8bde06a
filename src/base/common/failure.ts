import { ServiceError } from './errors';
import { type Message, message, pickMessage } from './messages/message';

/** Why work failed, as records and answers have it: in English, and with what translations need. */
export interface Failure {
  error: string;
  fault: Message;
}

/** Most characters of the English text; its parameters are never cut. */
export const failureMaxLength = 500;

/** Makes both forms of a reason. Whoever stores one, stores them by this function, so that they never differ. */
export function failure(fault: Message): Failure {
  return { error: fault.message.slice(0, failureMaxLength), fault };
}

/**
 * What is shown of an error that ended some work: the message of a refusal; of any other error its class and code alone,
 * because messages of drivers contain hosts and queries.
 */
export function errorMessage(error: unknown): Message {
  if (error instanceof ServiceError) return pickMessage(error);
  if (!(error instanceof Error)) return message('words.unknownError');
  const code = 'code' in error ? ` ${String(error.code)}` : '';
  return message('words.errorName', { error: `${error.name}${code}` });
}
