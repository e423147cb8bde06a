import { connect, type TLSSocket } from 'node:tls';
import type { Document } from 'bson';
import { FrameReader, FrameWriter } from './frames';
import { peerLimits } from './peerLimits';
import { clientTls } from './peerTls';

/** The other process did not answer: it has ended, is frozen or cannot be reached. It may have done what it was asked. */
export class PeerLost extends Error {
  override readonly name = 'PeerLost';
}

interface Waiting {
  resolve(answer: Document): void;
  reject(error: Error): void;
}

/** Where a process listens, and what it says that it is. */
export interface PeerAddress {
  id: string;
  host: string;
  port: number;
}

/** A kept connection to another process, on which calls are sent. */
export class PeerLink {
  /** Whether calls can be sent. */
  isOpen = false;
  /** Whether it is lost for good. */
  isClosed = false;
  private nextId = 1;
  private silentPings = 0;
  private readonly calls = new Map<number, Waiting>();
  private readonly socket: TLSSocket;
  private readonly writer: FrameWriter;
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly address: PeerAddress,
    key: Buffer,
    private readonly onChange: () => void,
  ) {
    const { host, port } = address;
    this.socket = connect({ host, port, ...clientTls(key) });
    this.writer = new FrameWriter(this.socket);
    this.socket.setNoDelay(true);
    this.socket.unref();
    const reader = new FrameReader();
    this.socket.on('data', (chunk: Buffer) => {
      try {
        reader.read(chunk, (frame) => this.hear(frame));
      } catch {
        this.close();
      }
    });
    this.socket.on('error', () => this.close());
    this.socket.on('close', () => this.close());
    this.timer = setInterval(() => this.tick(), peerLimits.pingEveryMs).unref();
    setTimeout(() => !this.isOpen && this.calls.size === 0 && this.close(), peerLimits.connectMaxMs).unref();
  }

  /** How many calls wait for their answers. */
  get pending(): number {
    return this.calls.size;
  }

  /** Sends a call. @throws PeerLost when no answer comes */
  call(call: Document): Promise<Document> {
    if (!this.isOpen || this.calls.size >= peerLimits.callsMax) return Promise.reject(new PeerLost('not sent'));
    const id = this.nextId;
    this.nextId += 1;
    return new Promise((resolve, reject) => {
      try {
        this.writer.write({ id, call });
      } catch (cause) {
        reject(new PeerLost('not sent', { cause }));
        return;
      }
      this.calls.set(id, { resolve, reject });
    });
  }

  close(): void {
    if (this.isClosed) return;
    this.isOpen = false;
    this.isClosed = true;
    clearInterval(this.timer);
    this.socket.destroy();
    for (const { reject } of this.calls.values()) reject(new PeerLost('no answer'));
    this.calls.clear();
    this.onChange();
  }

  private hear({ hello, leaving, id, answer, isGivenUp }: Document): void {
    this.silentPings = 0;
    if (hello !== undefined) {
      if (hello === this.address.id) this.isOpen = true;
      else this.close();
      this.onChange();
    } else if (leaving) {
      this.isOpen = false;
      this.writer.write({ left: true });
      this.onChange();
    } else if (answer !== undefined) {
      this.calls.get(id)?.resolve(answer as Document);
      this.calls.delete(id);
    } else if (isGivenUp) {
      this.calls.get(id)?.reject(new PeerLost('given up'));
      this.calls.delete(id);
    }
  }

  /**
   * Asks for a sign of life while calls wait. It counts unanswered pings, not time: after this process itself was
   * paused, much time has passed in which it could not have heard an answer.
   */
  private tick(): void {
    if (this.calls.size === 0) {
      this.silentPings = 0;
      return;
    }
    if (this.silentPings >= peerLimits.silentPings) {
      this.close();
      return;
    }
    this.silentPings += 1;
    this.writer.write({ ping: true });
  }
}
