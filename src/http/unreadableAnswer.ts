import { STATUS_CODES } from 'node:http';

/** What cannot be read is answered with, by the code of Node's error; all else is not HTTP. */
const refusals: Record<string, { status: number; message: string }> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request did not arrive in time' },
  HPE_HEADER_OVERFLOW: { status: 431, message: 'The request line and headers are too large' },
};

/** The whole answer to what never becomes a request of the application, as bytes of a connection that ends with it. */
export function unreadableAnswer({ code = '' }: NodeJS.ErrnoException): string {
  const { status, message } = refusals[code] ?? { status: 400, message: 'The request is not valid HTTP' };
  const body = JSON.stringify({ code: 1210, message, status });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}
