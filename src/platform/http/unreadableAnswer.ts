import { STATUS_CODES } from 'node:http';
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
  const body = JSON.stringify({ code: 1210, ...refusal, status });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}
