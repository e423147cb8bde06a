import type { ObjectId } from 'bson';
import { groupBy } from '#base/common/lists/groupBy';
import type { Lot } from '#records/points/lot';
import { emptyQueues, type LotQueues, queueLots, requeue } from './lotQueues';

/**
 * The lots of one member as a ledger works on them. The loaded lots never change; a second layer holds the new and the
 * changed lots. Queues are replaced when a lot changes. So forks can share them, and a caller may change lots while it
 * iterates over a queue: the iteration continues over the old queue.
 */
export class MemberLots {
  private constructor(
    /** Undefined when the live lots were not loaded. */
    private readonly loaded: LoadedLots | undefined,
    /** By hexadecimal id of the lot. */
    private readonly changed: Map<string, Lot>,
    /** By hexadecimal id of the purse policy; only purses with a change have an entry. */
    private readonly queues: Map<string, LotQueues>,
  ) {}

  static open(lots: readonly Lot[] | undefined): MemberLots {
    return new MemberLots(lots && new LoadedLots(lots), new Map(), new Map());
  }

  get isLoaded(): boolean {
    return this.loaded !== undefined;
  }

  fork(): MemberLots {
    return new MemberLots(this.loaded, new Map(this.changed), new Map(this.queues));
  }

  get(id: ObjectId): Lot | undefined {
    return this.changed.get(id.toHexString()) ?? this.loaded?.get(id);
  }

  /** Adds a lot, or replaces the lot with the same id. */
  put(lot: Lot): void {
    this.queues.set(lot.purse.toHexString(), requeue(this.queuesOf(lot.purse), this.get(lot._id), lot));
    this.changed.set(lot._id.toHexString(), lot);
  }

  inserted(): Lot[] {
    return [...this.changed.values()].filter(({ _id }) => !this.loaded?.get(_id));
  }

  updated(): Lot[] {
    return [...this.changed.values()].filter(({ _id }) => this.loaded?.get(_id));
  }

  /** The lots of a purse with available or escrowed points; only the new ones when the lots were not loaded. */
  queuesOf(purse: ObjectId): LotQueues {
    const key = purse.toHexString();
    return this.queues.get(key) ?? this.loaded?.queues(key) ?? emptyQueues;
  }

  /** Lots of a purse with available points, in burn order. */
  available(purse: ObjectId): readonly Lot[] {
    return this.queuesOf(purse).available.lots;
  }

  /** Lots of a purse in escrow, in the order of release. */
  escrowed(purse: ObjectId): readonly Lot[] {
    return this.queuesOf(purse).escrow.lots;
  }

  /** Lots of a purse with available points that expire by its inactivity. */
  byInactivity(purse: ObjectId): readonly Lot[] {
    return this.queuesOf(purse).inactivity.lots;
  }

  /** Loaded and new lots of a purse that fit, including spent lots. Iterates over every lot. */
  matching(fits: (lot: Lot) => boolean, purse: ObjectId): Lot[] {
    const loaded = (this.loaded?.lots ?? []).map((lot) => this.get(lot._id) ?? lot);
    return [...loaded, ...this.inserted()].filter((lot) => lot.purse.equals(purse) && fits(lot));
  }
}

/** Lots as they were read, shared by all forks. They are indexed and sorted at the first access. */
class LoadedLots {
  private byId: ReadonlyMap<string, Lot> | undefined;
  private byPurse: ReadonlyMap<string, LotQueues> | undefined;

  constructor(readonly lots: readonly Lot[]) {}

  get(id: ObjectId): Lot | undefined {
    this.byId ??= new Map(this.lots.map((lot) => [lot._id.toHexString(), lot]));
    return this.byId.get(id.toHexString());
  }

  queues(purse: string): LotQueues {
    this.byPurse ??= new Map(
      [...groupBy(this.lots, ({ purse }) => purse.toHexString())].map(([key, lots]) => [key, queueLots(lots)]),
    );
    return this.byPurse.get(purse) ?? emptyQueues;
  }
}
