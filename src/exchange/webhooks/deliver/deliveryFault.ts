import { errorMessage } from '#base/common/failure';
import { type Message, message } from '#base/common/messages/message';

const noAddress = message('webhooks.noAddress');

/** What is said of errors for which their code alone is no explanation. */
const explained: Readonly<Record<string, Message>> = {
  AbortError: message('webhooks.workerEnded'),
  RefusedAddress: message('webhooks.receiverNotPublic'),
  TimeoutError: message('webhooks.noAnswerInTime'),
  ECONNREFUSED: message('webhooks.connectionRefused'),
  ECONNRESET: message('webhooks.connectionClosed'),
  ENOTFOUND: noAddress,
  ENODATA: noAddress,
  HPE_HEADER_OVERFLOW: message('webhooks.headersTooLarge'),
};

/** Most characters of a code that is shown. */
const codeMax = 100;

/**
 * Says for the log of deliveries why there was no answer. The messages of errors are not shown, because they have
 * addresses.
 * @param signal ended the attempt, if it did
 */
export function deliveryFault(error: unknown, signal?: AbortSignal): Message {
  const cause: unknown = signal?.aborted ? signal.reason : error;
  if (!(cause instanceof Error)) return errorMessage(cause);
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.name;
  return explained[cause.name] ?? explained[code] ?? message('words.errorName', { error: code.slice(0, codeMax) });
}
