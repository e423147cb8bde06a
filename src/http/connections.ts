import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { elapsedMs } from '../common/clock';
import { cutConnections } from './metrics';
import type { ServeLimits } from './serveLimits';
import { unreadableAnswer } from './unreadableAnswer';

/** What connections are made of. */
export interface ConnectionsInput {
  /** Answers a request. */
  handle(request: IncomingMessage, response: ServerResponse): void;
  limits: ServeLimits;
  /** Connections open at once; near that number those that rest longest are cut for new ones. */
  connectionsMax: number;
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

interface Connection {
  socket: Socket;
  /** What is being answered. */
  current: Exchange | undefined;
  /** What came meanwhile, in its order. */
  waiting: Exchange[];
  /** True while no more is read from it. */
  isHeld: boolean;
  /** True when nothing more is taken from it. */
  isOver: boolean;
  /** Since when nothing is in hand; see {@link elapsedMs}. */
  restingSince: number;
  /** Bytes read when it was last looked at for its end. */
  bytesSeen: number | undefined;
}

/**
 * The connections of a server. Each has one request in hand at most; what it brings meanwhile waits, and past a bound is
 * not read. A connection does not stay whose client sends what is no HTTP, takes no answer, or does not end what the
 * server has ended.
 */
export class Connections {
  private readonly all = new Map<Socket, Connection>();
  private waitingCount = 0;

  constructor(private readonly input: ConnectionsInput) {}

  /** Watches over all connections of this server, and hands their requests on. */
  attach(server: Server): void {
    server.maxConnections = this.input.connectionsMax;
    server.timeout = this.input.limits.stalledMs;
    server.on('connection', (socket) => this.add(socket));
    server.on('drop', () => cutConnections.labels('full').inc());
    server.on('request', (request, response) => this.take({ request, response }));
    server.on('clientError', (error, socket) => this.refuse(error, socket as Socket));
    server.on('timeout', (socket) => this.silent(socket));
  }

  /** Tells whether no other request waits behind this one. */
  isLast({ socket }: IncomingMessage): boolean {
    return this.all.get(socket)?.waiting.length === 0;
  }

  /** Tells whether nothing is taken from the connection after this request and those that wait behind it. */
  isOver({ socket }: IncomingMessage): boolean {
    return this.all.get(socket)?.isOver === true;
  }

  /** Ends those that had nothing in hand and sent nothing for so many milliseconds, counted from the first call on. */
  endResting(graceMs: number): void {
    for (const connection of this.all.values()) {
      if (hasRested(connection, graceMs)) this.end(connection);
    }
  }

  private add(socket: Socket): void {
    const connection: Connection = {
      ...{ socket, current: undefined, waiting: [], isHeld: false, isOver: false },
      ...{ restingSince: elapsedMs(), bytesSeen: undefined },
    };
    this.all.set(socket, connection);
    // By this Node ends a connection after its last answer. It would close at once, which resets the connection when
    // the client has sent more meanwhile, and then the client may lose the answer.
    socket.destroySoon = () => this.end(connection);
    socket.on('resume', () => {
      if (connection.isHeld) socket.pause();
    });
    socket.once('close', () => {
      this.all.delete(socket);
      this.waitingCount -= connection.waiting.length;
      connection.waiting = [];
    });
    this.makeRoom();
  }

  private take(exchange: Exchange): void {
    const connection = this.all.get(exchange.request.socket);
    if (connection === undefined) return;
    if (connection.isOver) hold(connection);
    else if (connection.current === undefined) this.begin(connection, exchange);
    else this.queue(connection, exchange);
  }

  private queue(connection: Connection, exchange: Exchange): void {
    const { waitingMax, pipelinedMax } = this.input.limits;
    connection.waiting.push(exchange);
    this.waitingCount += 1;
    if (this.waitingCount > waitingMax) cut(connection, 'pipelined');
    else if (connection.waiting.length >= pipelinedMax) hold(connection);
  }

  private begin(connection: Connection, exchange: Exchange): void {
    connection.current = exchange;
    exchange.response.once('close', () => {
      // In a turn of its own, so that one client's requests do not hold up those of others.
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
    // Nobody would hear what became of it.
    if (connection.socket.writableEnded) return;
    if (connection.waiting.length < this.input.limits.pipelinedMax && !connection.isOver) release(connection);
    this.begin(connection, exchange);
  }

  private rest(connection: Connection): void {
    connection.current = undefined;
    connection.restingSince = elapsedMs();
    if (connection.isOver) this.end(connection);
  }

  /** What is not HTTP, or late, never reaches the application; what came before it is answered first. */
  private refuse(error: NodeJS.ErrnoException, socket: Socket): void {
    const connection = this.all.get(socket);
    if (connection?.isOver) hold(connection);
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

  /** Tells the client that nothing more comes, and waits a moment for it to end the connection too. */
  private end(connection: Connection): void {
    const { socket } = connection;
    connection.isOver = true;
    if (socket.writableEnded) return;
    socket.end(() => {
      const timer = setTimeout(() => socket.destroy(), this.input.limits.lingerMs);
      socket.once('close', () => clearTimeout(timer));
    });
  }

  private silent(socket: Socket): void {
    const connection = this.all.get(socket);
    // While an answer is being made nothing is expected from the client.
    if (connection?.current && socket.writableLength === 0) socket.setTimeout(this.input.limits.stalledMs);
    else if (connection && socket.writableLength > 0) cut(connection, 'stalled');
    else socket.destroy();
  }

  /** Cuts a part of those that wait for their client alone, longest resting first, before no new one can be accepted. */
  private makeRoom(): void {
    const { connectionsMax } = this.input;
    const spare = Math.ceil(connectionsMax / 64);
    if (this.all.size <= connectionsMax - spare) return;
    const resting = [...this.all.values()].filter(({ current }) => !isWorkedOn(current));
    resting.sort((left, right) => left.restingSince - right.restingSince);
    for (const connection of resting.slice(0, spare)) cut(connection, 'full');
  }
}

/** Its request is whole, and its answer is not made yet; one that is made waits for the client to take it. */
function isWorkedOn(current: Exchange | undefined): boolean {
  return current?.request.complete === true && !current.response.writableEnded;
}

function hold(connection: Connection): void {
  connection.isHeld = true;
  connection.socket.pause();
}

function release(connection: Connection): void {
  if (!connection.isHeld) return;
  connection.isHeld = false;
  connection.socket.resume();
}

function cut({ socket }: Connection, reason: 'unreadable' | 'pipelined' | 'stalled' | 'full'): void {
  cutConnections.labels(reason).inc();
  socket.destroy();
}

function hasRested(connection: Connection, graceMs: number): boolean {
  if (connection.current !== undefined) return false;
  const { bytesRead } = connection.socket;
  if (bytesRead !== connection.bytesSeen) {
    connection.bytesSeen = bytesRead;
    connection.restingSince = elapsedMs();
  }
  return elapsedMs() - connection.restingSince >= graceMs;
}
