import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import type { Plan } from '#activities/commit/plan';
import type { CounterReader } from '#activities/load/loadUsage';
import type { LimitCounter } from '#records/activities/limitCounter';
import { createRecordLeases, type RecordLease, type RecordRead } from './recordLeases';
import { SharedRecords } from './sharedRecords';

/**
 * The turn of one batch at the members and counters that it shares with others. It waits for batches of this process that
 * are in flight, and at busy records for other processes. That only saves attempts: the guards of the commit keep the
 * ledger correct.
 */
export interface BatchTurn {
  /** Reads counters when it is the batch's turn at them. */
  readCounters: CounterReader;
  /**
   * Waits for the batch's turn at the members that it has read.
   * @returns true when it has waited: the caller must then read everything again
   */
  takeMembers(members: readonly RecordRead[]): Promise<boolean>;
  /** Notes what the batch is about to write. */
  notePlan(plan: Plan): void;
  /** Notes that the commit of the plan conflicted with another one. */
  noteConflict(plan: Plan, members: readonly RecordRead[]): void;
  /** Lets others have their turn. */
  end(): Promise<void>;
}

/** Makes the turns of the batches of a process. */
export function createBatchTurns(db: Connection): () => BatchTurn {
  const shared = new SharedRecords<OpenTurn>();
  const openLease = createRecordLeases(db);
  return () => new OpenTurn(shared, openLease(), openLease());
}

class OpenTurn implements BatchTurn {
  private readonly ended = new Ending();
  /** What the batch has read, by hexadecimal id. */
  private readonly entered = new Set<string>();
  private counters: readonly RecordRead[] = [];
  /** True: an attempt that has failed may still read, but nobody may wait for it. */
  private isOver = false;

  constructor(
    private readonly shared: SharedRecords<OpenTurn>,
    private readonly counterLease: RecordLease,
    private readonly memberLease: RecordLease,
  ) {}

  readonly readCounters: CounterReader = async (ids, read) => {
    await this.enter(ids.map((_id) => ({ _id })));
    if (this.isOver) return read();
    try {
      return await this.readLeased(ids, read);
    } finally {
      if (this.isOver) await this.endLeases();
    }
  };

  private async readLeased(ids: readonly ObjectId[], read: () => Promise<LimitCounter[]>): Promise<LimitCounter[]> {
    const records = ids.map((_id) => ({ _id }));
    // Nobody waits for counters while it has leases of members, so that two processes never wait for each other.
    if (this.counterLease.lacks(records)) await this.memberLease.end();
    await this.counterLease.take(records);
    let found = await read();
    this.counters = counterVersions(ids, found);
    if (await this.counterLease.take(this.counters)) {
      found = await read();
      this.counters = counterVersions(ids, found);
    }
    return found;
  }

  async takeMembers(members: readonly RecordRead[]): Promise<boolean> {
    const hasWaited = await this.enter(members);
    const hasLeased = await this.memberLease.take(members);
    return hasWaited || hasLeased;
  }

  notePlan(plan: Plan): void {
    this.shared.noteWritten(this.entered, writtenBy(plan));
  }

  noteConflict(plan: Plan, members: readonly RecordRead[]): void {
    const written = writtenBy(plan);
    this.counterLease.noteConflict(this.counters.filter(({ _id }) => written.has(_id.toHexString())));
    this.memberLease.noteConflict(members);
  }

  async end(): Promise<void> {
    this.isOver = true;
    await this.endLeases();
    this.shared.leave(this);
    this.ended.tell();
  }

  /** Waits for earlier batches of this process that share records with this one. False when there are none. */
  private async enter(records: readonly RecordRead[]): Promise<boolean> {
    if (this.isOver) return false;
    const ids = records.map(({ _id }) => _id.toHexString());
    for (const id of ids) this.entered.add(id);
    const earlier = this.shared.enter(this, ids);
    if (earlier.length === 0) return false;
    const theirEnds = earlier.map(({ ended }) => ended.wait());
    // It is behind all others now, so those that waited for it go first.
    this.ended.tell();
    await this.endLeases();
    await Promise.all(theirEnds);
    return true;
  }

  private async endLeases(): Promise<void> {
    await Promise.all([this.counterLease.end(), this.memberLease.end()]);
  }
}

/** Lets others wait for the end of something that may begin again. */
class Ending {
  private waiting: (() => void)[] = [];

  wait(): Promise<void> {
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  tell(): void {
    for (const resolve of this.waiting.splice(0)) resolve();
  }
}

function writtenBy({ changes, counters, windows }: Plan): ReadonlySet<string> {
  const ids = [...changes.map(({ memberId }) => memberId), ...[...counters, ...windows].map(({ id }) => id)];
  return new Set(ids.map((id) => id.toHexString()));
}

/** What the guards of counters compare; see `commitPlan`. A counter that is not stored yet has the version 0. */
function counterVersions(ids: readonly ObjectId[], found: readonly LimitCounter[]): RecordRead[] {
  const versions = new Map(found.map(({ _id, used, writes }) => [_id.toHexString(), writes ?? used]));
  return ids.map((_id) => ({ _id, version: versions.get(_id.toHexString()) ?? 0 }));
}
