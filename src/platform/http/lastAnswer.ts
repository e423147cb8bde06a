import { STATUS_CODES } from 'node:http';
import { errorCodes } from '#base/common/errors';
import { type Message, message } from '#base/common/messages/message';

/** The answers to unreadable input, by the code of Node's error. Any other code means that the input is not HTTP. */
const refusals: Record<string, Message & { status: number }> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, ...message('http.requestTooSlow') },
  HPE_HEADER_OVERFLOW: { status: 431, ...message('http.headersTooLarge') },
};

/**
 * Returns the whole answer to input that never becomes a request of the application. The connection ends after these
 * bytes.
 */
export function unreadableAnswer({ code = '' }: NodeJS.ErrnoException): string {
  const { status, ...refusal } = refusals[code] ?? { status: 400, ...message('http.notHttp') };
  return lastAnswer(status, { code: 1210, ...refusal, status });
}

/** Returns the whole answer on a connection for which there is no room. The connection ends after these bytes. */
export function noRoomAnswer(): string {
  const { code, status } = errorCodes.unavailable;
  return lastAnswer(status, { code, ...message('http.tooManyConnections'), status }, ['Retry-After: 1']);
}

function lastAnswer(status: number, content: object, headers: readonly string[] = []): string {
  const body = JSON.stringify(content);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    ...headers,
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}
