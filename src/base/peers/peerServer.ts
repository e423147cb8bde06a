import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createServer, type TLSSocket } from 'node:tls';
import type { Document } from 'bson';
import { elapsedMs } from '#base/common/clock';
import { StartError } from '#base/common/startError';
import { FrameReader, FrameWriter } from './frames';
import { peerLimits } from './peerLimits';
import { serverTls } from './peerTls';

/**
 * Does what another process asks for. It must not throw.
 * @param isGone whether the caller may wait no more, and do it itself. Once true, it stays true
 */
export type AnswerCall = (call: Document, isGone: () => boolean) => Promise<Document>;

/** Where a process listens for others. */
export interface PeerServer {
  port: number;
  /** Takes no more calls, tells the callers so, and waits until those in progress are answered. */
  close(): Promise<void>;
}

/**
 * Listens for calls of other processes that have the same key.
 * @param id what this process says that it is
 * @throws StartError when it cannot listen there
 */
export async function listenForPeers(
  { host, port, key, id }: { host: string; port: number; key: Buffer; id: string },
  answer: AnswerCall,
): Promise<PeerServer> {
  const callers = new Set<Caller>();
  const server = createServer(serverTls(key), (socket) => {
    const caller = new Caller(socket, answer);
    callers.add(caller);
    socket.once('close', () => callers.delete(caller));
    caller.tell({ hello: id });
  });
  server.maxConnections = peerLimits.connectionsMax;
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve, reject) => {
    server.once('error', ({ code }: NodeJS.ErrnoException) =>
      reject(new StartError(`It cannot listen at PEER_HOST and PEER_PORT (${host}, ${port}): ${code}`)),
    );
    server.listen({ host, port }, () => resolve());
  });
  server.unref();
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.close();
      for (const caller of callers) caller.tell({ leaving: true });
      const endsAt = elapsedMs() + peerLimits.leaveMaxMs;
      while (elapsedMs() < endsAt && [...callers].some(({ isDone }) => !isDone)) await sleep(10);
      for (const caller of callers) caller.end();
    },
  };
}

/** A connected process that sends calls. */
class Caller {
  /** Calls that are not answered yet. */
  private calls = 0;
  private hasLeft = false;
  private heardAt = elapsedMs();
  private readonly reader = new FrameReader();
  private readonly writer: FrameWriter;

  constructor(
    private readonly socket: TLSSocket,
    private readonly answer: AnswerCall,
  ) {
    this.writer = new FrameWriter(socket);
    socket.setNoDelay(true);
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk: Buffer) => this.hear(chunk));
  }

  /** Whether it knows that this process ends, and has all its answers. */
  get isDone(): boolean {
    return this.hasLeft && this.calls === 0;
  }

  tell(frame: Document): void {
    if (!this.socket.destroyed) this.writer.write(frame);
  }

  end(): void {
    this.writer.end();
    this.socket.unref();
  }

  private hear(chunk: Buffer): void {
    this.heardAt = elapsedMs();
    try {
      this.reader.read(chunk, (frame) => void this.serve(frame));
    } catch {
      this.socket.destroy();
    }
  }

  private async serve({ id, call, left }: Document): Promise<void> {
    if (left) {
      this.hasLeft = true;
      return;
    }
    if (call === undefined) return this.tell({ pong: true });
    this.calls += 1;
    try {
      let hasGone = false;
      const isGone = () => {
        hasGone ||= this.socket.destroyed || elapsedMs() - this.heardAt > peerLimits.goneMs;
        return hasGone;
      };
      const answer = await this.answer(call as Document, isGone);
      this.tell(hasGone ? { id, isGivenUp: true } : { id, answer });
    } catch {
      // The answer could not be sent. The caller asks the database instead.
      this.socket.destroy();
    } finally {
      this.calls -= 1;
    }
  }
}
