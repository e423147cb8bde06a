import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { elapsedMs } from '#base/common/clock';
import {
  type Connection,
  cut,
  type Exchange,
  hasRested,
  isBodyLate,
  isWorkedOn,
  newConnection,
  pauseReading,
  resumeReading,
} from './connection';
import { noRoomAnswer, unreadableAnswer } from './lastAnswer';
import { cutConnections } from './metrics';
import type { ServeLimits } from './serveLimits';

/** What {@link Connections} needs. */
export interface ConnectionsInput {
  /** Answers a request. */
  handle(request: IncomingMessage, response: ServerResponse): void;
  limits: ServeLimits;
  /**
   * The most connections that are open at once. Near that number, the server closes those that have been idle longest.
   * Above it, a client gets 503 and the end of its connection; far above it, only the end.
   */
  connectionsMax: number;
}

/** A connection that waits for its client longer than this, in milliseconds, may be cut to make room. */
const restMinMs = 2000;

/** One more connection for so many may be open to be refused. */
const refusedShare = 8;

/**
 * The connections of a server. The server answers one request of a connection at a time. Further requests of the
 * connection wait. When `pipelinedMax` of them wait, the server stops reading from it. The server closes a connection
 * whose client sends invalid HTTP, does not read its answer, or does not end a connection that the server has ended.
 */
export class Connections {
  private readonly all = new Map<Socket, Connection>();
  private waitingCount = 0;

  constructor(private readonly input: ConnectionsInput) {}

  /** Manages all connections of this server and passes their requests on. */
  attach(server: Server): void {
    const { connectionsMax } = this.input;
    server.maxConnections = connectionsMax + Math.ceil(connectionsMax / refusedShare);
    server.timeout = this.input.limits.stalledMs;
    server.on('connection', (socket) => {
      if (this.all.size < connectionsMax) this.add(socket);
      else this.refuseConnection(socket);
    });
    server.on('drop', () => cutConnections.labels('full').inc());
    server.on('request', (request, response) => this.take({ request, response, since: elapsedMs() }));
    server.on('clientError', (error, socket) => this.refuse(error, socket as Socket));
    server.on('timeout', (socket) => this.onTimeout(socket));
    const lateTimer = setInterval(() => this.refuseLate(), this.input.limits.lateCheckMs).unref();
    server.on('close', () => clearInterval(lateTimer));
  }

  /** Tells whether no other request of the connection waits. */
  isLast({ socket }: IncomingMessage): boolean {
    return this.all.get(socket)?.waiting.length === 0;
  }

  /** Tells whether the server accepts no request of the connection after this one and those that wait. */
  isOver({ socket }: IncomingMessage): boolean {
    return this.all.get(socket)?.isOver === true;
  }

  /**
   * Ends the idle connections: those without a request in progress that sent nothing for `graceMs` milliseconds,
   * counted from the first call at the earliest.
   */
  endResting(graceMs: number): void {
    for (const connection of this.all.values()) {
      if (hasRested(connection, graceMs)) this.end(connection);
    }
  }

  private add(socket: Socket): void {
    const connection = newConnection(socket);
    this.all.set(socket, connection);
    // Node calls this after the last answer of a connection, and by default it closes the socket at once. If the client
    // has sent more data meanwhile, that would reset the connection, and the client might lose the answer.
    socket.destroySoon = () => this.end(connection);
    socket.on('resume', () => {
      if (connection.isPaused) socket.pause();
    });
    socket.once('close', () => {
      this.all.delete(socket);
      this.waitingCount -= connection.waiting.length;
      connection.waiting = [];
    });
    this.makeRoom();
  }

  /** What the client sends is read until it ends, since a reset might lose the answer. Its requests go nowhere. */
  private refuseConnection(socket: Socket): void {
    cutConnections.labels('full').inc();
    socket.on('error', () => socket.destroy());
    socket.write(noRoomAnswer());
    this.endSocket(socket);
  }

  private take(exchange: Exchange): void {
    const connection = this.all.get(exchange.request.socket);
    if (connection === undefined) return;
    if (connection.isOver) pauseReading(connection);
    else if (connection.current === undefined) this.begin(connection, exchange);
    else this.queue(connection, exchange);
  }

  private queue(connection: Connection, exchange: Exchange): void {
    const { waitingMax, pipelinedMax } = this.input.limits;
    connection.waiting.push(exchange);
    this.waitingCount += 1;
    if (this.waitingCount > waitingMax) cut(connection, 'pipelined');
    else if (connection.waiting.length >= pipelinedMax) pauseReading(connection);
  }

  private begin(connection: Connection, exchange: Exchange): void {
    connection.current = exchange;
    exchange.response.once('close', () => {
      // The next request begins in another turn of the event loop, so that the requests of one client do not delay
      // those of others.
      if (connection.waiting.length > 0) setImmediate(() => this.next(connection));
      else this.rest(connection);
    });
    this.input.handle(exchange.request, exchange.response);
  }

  private next(connection: Connection): void {
    const exchange = connection.waiting.shift();
    if (exchange === undefined) {
      this.rest(connection);
      return;
    }
    this.waitingCount -= 1;
    // The connection has ended, so the client could not receive the answer.
    if (connection.socket.writableEnded) return;
    if (connection.waiting.length < this.input.limits.pipelinedMax && !connection.isOver) resumeReading(connection);
    this.begin(connection, exchange);
  }

  private rest(connection: Connection): void {
    connection.current = undefined;
    connection.restingSince = elapsedMs();
    if (connection.isOver) this.end(connection);
  }

  /**
   * Handles input that is not valid HTTP or arrives too late. It never reaches the application. Requests that came
   * before it are answered first.
   */
  private refuse(error: NodeJS.ErrnoException, socket: Socket): void {
    const connection = this.all.get(socket);
    if (connection?.isOver) pauseReading(connection);
    if (connection === undefined || connection.isOver) return;
    connection.isOver = true;
    if (connection.waiting.at(-1)?.request.complete === false) {
      connection.waiting.pop();
      this.waitingCount -= 1;
    }
    if (connection.current?.request.complete) return;
    cutConnections.labels('unreadable').inc();
    if (socket.writable && !connection.current?.response.headersSent) socket.write(unreadableAnswer(error));
    this.end(connection);
  }

  /** Refuses the requests whose bodies took too long. Node itself has one limit for all requests. */
  private refuseLate(): void {
    const since = elapsedMs() - this.input.limits.requestMs;
    for (const { socket, current, waiting } of this.all.values()) {
      if ([current, ...waiting].some((exchange) => exchange && isBodyLate(exchange, since))) {
        this.refuse(Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket);
      }
    }
  }

  /** Ends the server's side of the connection, and waits `lingerMs` for the client to end it too. */
  private end(connection: Connection): void {
    const { socket } = connection;
    connection.isOver = true;
    if (!socket.writableEnded) this.endSocket(socket);
  }

  private endSocket(socket: Socket): void {
    socket.end(() => {
      const timer = setTimeout(() => socket.destroy(), this.input.limits.lingerMs);
      socket.once('close', () => clearTimeout(timer));
    });
  }

  private onTimeout(socket: Socket): void {
    const connection = this.all.get(socket);
    // While the application makes an answer, the client has nothing to send.
    if (connection?.current && socket.writableLength === 0) socket.setTimeout(this.input.limits.stalledMs);
    else if (connection && socket.writableLength > 0) cut(connection, 'stalled');
    else socket.destroy();
  }

  /**
   * Makes room before the server has to refuse new connections. Of the connections that only wait for their client, it
   * cuts those that have been idle longest. A busy server may not have read yet what a new client has sent.
   */
  private makeRoom(): void {
    const { connectionsMax } = this.input;
    const spare = Math.ceil(connectionsMax / 64);
    if (this.all.size <= connectionsMax - spare) return;
    const since = elapsedMs() - restMinMs;
    const resting = [...this.all.values()].filter(
      ({ current, restingSince }) => !isWorkedOn(current) && restingSince < since,
    );
    resting.sort((left, right) => left.restingSince - right.restingSince);
    for (const connection of resting.slice(0, spare)) cut(connection, 'full');
  }
}
