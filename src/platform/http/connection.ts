import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { elapsedMs } from '#base/common/clock';
import { cutConnections } from './metrics';
import { mayBeSlow } from './slowBodies';

/** A request of a connection, and its answer. */
export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  /** When its headers had arrived, as a value of {@link elapsedMs}. */
  since: number;
}

/** A connection of a client. The server answers its requests one after the other. */
export interface Connection {
  socket: Socket;
  /** The request that is being answered. */
  current: Exchange | undefined;
  /** Requests that arrived in the meantime, in their order. */
  waiting: Exchange[];
  /** True while the server does not read from the socket. */
  isPaused: boolean;
  /** True when the server accepts no more requests from this connection. */
  isOver: boolean;
  /** Since when no request is being answered, as a value of {@link elapsedMs}. */
  restingSince: number;
  /** Bytes received at the last check by {@link hasRested}. */
  bytesSeen: number | undefined;
}

/** A connection that has just been opened. */
export function newConnection(socket: Socket): Connection {
  return {
    socket,
    current: undefined,
    waiting: [],
    isPaused: false,
    isOver: false,
    restingSince: elapsedMs(),
    bytesSeen: undefined,
  };
}

/** Tells whether the body of a request has not arrived, although its headers came at `limit` or before. */
export function isBodyLate({ request, since }: Exchange, limit: number): boolean {
  return since <= limit && !request.complete && !mayBeSlow(request);
}

/**
 * Tells whether the service still works on the answer. After that, the connection only waits for the client to read it.
 */
export function isWorkedOn(current: Exchange | undefined): boolean {
  return current?.request.complete === true && !current.response.writableEnded;
}

/** Stops reading from a connection. */
export function pauseReading(connection: Connection): void {
  connection.isPaused = true;
  connection.socket.pause();
}

/** Reads on after {@link pauseReading}. */
export function resumeReading(connection: Connection): void {
  if (!connection.isPaused) return;
  connection.isPaused = false;
  connection.socket.resume();
}

/** Closes a connection at once; what was not sent is lost. */
export function cut({ socket }: Connection, reason: 'unreadable' | 'pipelined' | 'stalled' | 'full'): void {
  cutConnections.labels(reason).inc();
  socket.destroy();
}

/** Tells whether a connection had no request and received nothing for `graceMs` milliseconds, as far as it was checked. */
export function hasRested(connection: Connection, graceMs: number): boolean {
  if (connection.current !== undefined) return false;
  const { bytesRead } = connection.socket;
  if (bytesRead !== connection.bytesSeen) {
    connection.bytesSeen = bytesRead;
    connection.restingSince = elapsedMs();
  }
  return elapsedMs() - connection.restingSince >= graceMs;
}
