declare module 'inflation' {
  import type { IncomingMessage } from 'node:http';
  import type { Readable } from 'node:stream';

  /**
   * Decompresses the request's body by its Content-Encoding. Returns the request itself when its body is not
   * compressed.
   */
  export default function inflate(request: IncomingMessage): Readable;
}
