declare module 'inflation' {
  import type { IncomingMessage } from 'node:http';
  import type { Readable } from 'node:stream';

  /** The request's body unpacked by its Content-Encoding; the request itself when it is not packed. */
  export default function inflate(request: IncomingMessage): Readable;
}
