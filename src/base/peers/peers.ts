import { randomUUID } from 'node:crypto';
import { isIPv4, isIPv6 } from 'node:net';
import os from 'node:os';
import type { Document } from 'bson';
import type { Connection } from 'mongoose';
import { runningVersion } from '#base/common/version';
import { endsIn, isOver, literals } from '#base/db/leases/lease';
import { readLocal } from '#base/db/readLocal';
import { peerLimits } from './peerLimits';
import { PeerLink } from './peerLink';
import { type AnswerCall, listenForPeers } from './peerServer';

interface PeerRow {
  _id: string;
  machine: string;
  host: string;
  port: number;
  version: string;
  build: string;
  until: Date;
  /** What the process tells the others. */
  state: Document;
}

/** What a process knows of those that hand work to each other. */
export interface PeersSeen {
  /** The name of this process. */
  id: string;
  /** The names of the processes that can be called now, and of this one. */
  members: readonly string[];
  /** What each process told last, by its name. */
  states: ReadonlyMap<string, Document>;
}

/** The other processes to which this one can hand work. */
export interface Peers {
  readonly id: string;
  /** Another number whenever what is {@link seen} may have changed. */
  readonly epoch: number;
  seen(): PeersSeen;
  /** The connection to a process; undefined when it cannot be called now. */
  link(id: string): PeerLink | undefined;
  /** Leaves the group: answers the calls in progress and takes no new ones. */
  close(): Promise<void>;
}

/** How a process joins the others. */
export interface JoinOptions {
  db: Connection;
  /** Where it listens, and where the others find it. */
  host: string;
  port: number;
  key: Buffer;
  answer: AnswerCall;
  /** What it tells the others, every second. */
  state(seen: PeersSeen): Document;
}

/** Joins the processes that hand work to each other: listens, says in the database where, and connects to the others. */
export async function joinPeers(options: JoinOptions): Promise<Peers> {
  const id = randomUUID();
  const { host, key, answer } = options;
  const server = await listenForPeers({ host, port: options.port, key, id }, answer);
  const joined = new JoinedPeers(id, options, { host, port: server.port });
  await joined.start();
  return {
    id,
    get epoch() {
      return joined.epoch;
    },
    seen: () => joined.seen(),
    link: (peer) => joined.link(peer),
    async close() {
      await joined.leave();
      await server.close();
      joined.disconnect();
    },
  };
}

class JoinedPeers {
  epoch = 0;
  private readonly links = new Map<string, PeerLink>();
  private states: ReadonlyMap<string, Document> = new Map();
  private readonly own: Omit<PeerRow, '_id' | 'until' | 'state'>;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly id: string,
    private readonly options: JoinOptions,
    address: Pick<PeerRow, 'host' | 'port'>,
  ) {
    this.own = { machine: os.hostname(), ...address, ...runningVersion() };
  }

  async start(): Promise<void> {
    await this.rows().deleteMany({ $expr: isOver('until', peerLimits.livesMs) });
    await this.beat();
    // While the database is unavailable, the processes stay as they were.
    this.timer = setInterval(() => void this.beat().catch(() => undefined), peerLimits.beatEveryMs).unref();
  }

  seen(): PeersSeen {
    const open = [...this.links].flatMap(([id, link]) => (link.isOpen ? [id] : []));
    return { id: this.id, members: [this.id, ...open], states: this.states };
  }

  link(id: string): PeerLink | undefined {
    const link = this.links.get(id);
    return link?.isOpen ? link : undefined;
  }

  async leave(): Promise<void> {
    clearInterval(this.timer);
    await this.rows()
      .deleteOne({ _id: this.id })
      .catch(() => undefined);
  }

  disconnect(): void {
    for (const link of this.links.values()) link.close();
  }

  private rows() {
    return this.options.db.collection<PeerRow>('peers');
  }

  private async beat(): Promise<void> {
    const { id, own, options } = this;
    const set = { ...literals({ ...own, state: options.state(this.seen()) }), until: endsIn(peerLimits.livesMs) };
    await this.rows().updateOne({ _id: id }, [{ $set: set }], { upsert: true, ...fastWrite });
    const living = await this.rows()
      .find({ $expr: { $not: isOver('until') } }, readLocal)
      .toArray();
    this.states = new Map(living.map((row) => [row._id, row.state]));
    this.connect(living.filter((row) => row._id !== id && isReachable(row, own)));
    this.epoch += 1;
  }

  /** Connects to the processes that are new, and again to those whose connection was lost. */
  private connect(living: readonly PeerRow[]): void {
    const ids = new Set(living.map(({ _id }) => _id));
    for (const [id, link] of this.links) {
      if (!link.isClosed && (ids.has(id) || link.pending > 0)) continue;
      link.close();
      this.links.delete(id);
    }
    const onChange = () => {
      this.epoch += 1;
    };
    for (const { _id, host, port } of living) {
      if (!this.links.has(_id)) this.links.set(_id, new PeerLink({ id: _id, host, port }, this.options.key, onChange));
    }
  }
}

/** Who a process is costs nothing when it is lost. */
const fastWrite = { writeConcern: { w: 1, journal: false } };

/** Only processes of the same build understand each other, and a loopback address is that of the same machine. */
function isReachable(other: PeerRow, own: Pick<PeerRow, 'machine' | 'version' | 'build'>): boolean {
  const isSame = other.version === own.version && other.build === own.build;
  return isSame && (other.machine === own.machine || !isLoopback(other.host));
}

function isLoopback(host: string): boolean {
  if (isIPv4(host)) return host.startsWith('127.');
  return isIPv6(host) ? host === '::1' : host === 'localhost';
}
