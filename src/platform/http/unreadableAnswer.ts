import { STATUS_CODES } from 'node:http';

/** The answers to unreadable input, by the code of Node's error. Any other code means that the input is not HTTP. */
const refusals: Record<string, { status: number; message: string }> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request did not arrive in time' },
  HPE_HEADER_OVERFLOW: { status: 431, message: 'The request line and headers are too large' },
};

/**
 * Returns the whole answer to input that never becomes a request of the application. The connection ends after these
 * bytes.
 */
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
