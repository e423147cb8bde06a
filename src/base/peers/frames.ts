import type { Socket } from 'node:net';
import { type Document, deserialize, serialize } from 'bson';

/** The largest frame in bytes. The answer to a request has at most a document of MongoDB, which is 16 MB, and some more. */
const frameMaxBytes = 48 * 1024 * 1024;

/** The shortest BSON document, which is empty. */
const frameMinBytes = 5;

/** Reads BSON documents from a stream of bytes. Each begins with its own length. */
export class FrameReader {
  private chunks: Buffer[] = [];
  private bytes = 0;
  /** How many bytes must have arrived before there is something to read. */
  private needed = frameMinBytes;

  /** @throws Error when the bytes are no frames */
  read(chunk: Buffer, onFrame: (frame: Document) => void): void {
    this.chunks.push(chunk);
    this.bytes += chunk.length;
    if (this.bytes < this.needed) return;
    let rest = this.chunks.length === 1 ? chunk : Buffer.concat(this.chunks);
    this.needed = frameMinBytes;
    while (rest.length >= frameMinBytes) {
      const length = rest.readInt32LE(0);
      if (length < frameMinBytes || length > frameMaxBytes) throw new Error('not a frame');
      if (rest.length < length) {
        this.needed = length;
        break;
      }
      onFrame(deserialize(rest.subarray(0, length)));
      rest = rest.subarray(length);
    }
    this.chunks = rest.length === 0 ? [] : [rest];
    this.bytes = rest.length;
  }
}

/** Writes frames to a socket. Those of one turn of the event loop leave together. */
export class FrameWriter {
  private waiting: Uint8Array[] = [];

  constructor(private readonly socket: Socket) {}

  /** @throws Error when the document cannot be serialized */
  write(frame: Document): void {
    this.waiting.push(serialize(frame, { ignoreUndefined: true }));
    if (this.waiting.length === 1) setImmediate(() => this.flush());
  }

  /** Ends the socket after all frames. Those of this turn of the event loop would be lost with `socket.end` alone. */
  end(): void {
    this.flush();
    this.socket.end();
  }

  private flush(): void {
    if (this.waiting.length === 0) return;
    const bytes = Buffer.concat(this.waiting);
    this.waiting = [];
    if (this.socket.writable) this.socket.write(bytes);
  }
}
