import type { ObjectId } from 'bson';
import type { Lot } from './lot';
import { compareBurn } from './lotOrder';

/**
 * The lots of one member as a ledger works on them: those that were loaded, never changed, under a layer of those that
 * are new or changed. A fork copies the layer only, so it is cheap however many lots a member has.
 */
export class LotBook {
  private constructor(
    /** Undefined when the live lots were not loaded. */
    private readonly loaded: LoadedLots | undefined,
    private readonly layer: Map<string, Lot>,
    private readonly fresh: Set<string>,
  ) {}

  static open(lots: readonly Lot[] | undefined): LotBook {
    return new LotBook(lots && new LoadedLots(lots), new Map(), new Set());
  }

  get isLoaded(): boolean {
    return this.loaded !== undefined;
  }

  fork(): LotBook {
    return new LotBook(this.loaded, new Map(this.layer), new Set(this.fresh));
  }

  get(id: ObjectId): Lot | undefined {
    const key = id.toHexString();
    return this.layer.get(key) ?? this.loaded?.byId.get(key);
  }

  insert(lot: Lot): void {
    this.fresh.add(lot._id.toHexString());
    this.layer.set(lot._id.toHexString(), lot);
  }

  replace(lot: Lot): void {
    this.layer.set(lot._id.toHexString(), lot);
  }

  inserted(): Lot[] {
    return [...this.layer].filter(([key]) => this.fresh.has(key)).map(([, lot]) => lot);
  }

  updated(): Lot[] {
    return [...this.layer].filter(([key]) => !this.fresh.has(key)).map(([, lot]) => lot);
  }

  /** Lots of a purse with available points, in burn order; only as many are made as are asked for. */
  *available(purse: ObjectId): Generator<Lot> {
    const changed = this.changed(purse, ({ availablePoints }) => availablePoints > 0).sort(compareBurn);
    let next = 0;
    for (const lot of this.loaded?.inBurnOrder(purse) ?? []) {
      if (this.layer.has(lot._id.toHexString())) continue;
      for (let own = changed[next]; own && compareBurn(own, lot) < 0; own = changed[next]) {
        yield own;
        next += 1;
      }
      yield lot;
    }
    yield* changed.slice(next);
  }

  /** Lots of a purse, or of all, that fit; in no order. */
  matching(fits: (lot: Lot) => boolean, purse?: ObjectId): Lot[] {
    const unchanged = [...(this.loaded?.byId ?? [])]
      .filter(([key, lot]) => !this.layer.has(key) && (!purse || lot.purse.equals(purse)) && fits(lot))
      .map(([, lot]) => lot);
    return [...unchanged, ...this.changed(purse, fits)];
  }

  private changed(purse: ObjectId | undefined, fits: (lot: Lot) => boolean): Lot[] {
    return [...this.layer.values()].filter((lot) => (!purse || lot.purse.equals(purse)) && fits(lot));
  }
}

class LoadedLots {
  readonly byId: ReadonlyMap<string, Lot>;
  private readonly ordered = new Map<string, Lot[]>();

  constructor(lots: readonly Lot[]) {
    this.byId = new Map(lots.map((lot) => [lot._id.toHexString(), lot]));
  }

  /** Sorted at the first burn of the purse, for all forks. */
  inBurnOrder(purse: ObjectId): readonly Lot[] {
    const key = purse.toHexString();
    let lots = this.ordered.get(key);
    if (!lots) {
      lots = [...this.byId.values()].filter((lot) => lot.purse.equals(purse) && lot.availablePoints > 0).sort(compareBurn);
      this.ordered.set(key, lots);
    }
    return lots;
  }
}
