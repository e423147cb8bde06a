import type { Document } from 'bson';
import type { PeersSeen } from '#base/peers/peers';
import { nextSpread, rankedFor } from './owners';

/** How often the activities in progress are counted, for the average that others are told. */
const countedEveryMs = 100;

/** What a process tells the others about orgs, by the hexadecimal id of the org. */
interface Told {
  /** The average number of activities in progress in this process since it told the others last. */
  pending: Record<string, number>;
  /** Over how many processes an org is spread, when that is more than one and this process is the first of them. */
  spread: Record<string, number>;
}

/** Counts what is in progress in this process, and decides over how many processes the orgs are spread that it is first for. */
export class OrgLoads {
  private counts = 0;
  private sums = new Map<string, number>();
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly pending: () => ReadonlyMap<string, number>) {
    this.timer = setInterval(() => this.count(), countedEveryMs).unref();
  }

  close(): void {
    clearInterval(this.timer);
  }

  /** What to tell the others now. */
  tell({ id, members, states }: PeersSeen): Document {
    const pending = this.averages();
    const told = [...states.values()].map((state) => state as Told);
    const orgs = new Set([...Object.keys(pending), ...told.flatMap((state) => Object.keys(state.pending))]);
    const own = states.get(id) as Told | undefined;
    const spread: Record<string, number> = {};
    for (const org of orgs) {
      if (rankedFor(org, members)[0] !== id) continue;
      const total = told.reduce((sum, state) => sum + (state.pending[org] ?? 0), 0);
      const next = nextSpread(own?.spread[org] ?? 1, total, members.length);
      if (next > 1) spread[org] = next;
    }
    return { pending, spread } satisfies Told;
  }

  private count(): void {
    this.counts += 1;
    for (const [org, pending] of this.pending()) this.sums.set(org, (this.sums.get(org) ?? 0) + pending);
  }

  private averages(): Record<string, number> {
    const averages = [...this.sums].map(([org, sum]) => [org, sum / Math.max(1, this.counts)] as const);
    this.sums = new Map();
    this.counts = 0;
    return Object.fromEntries(averages);
  }
}

/** Over how many processes an org is spread, as the first of them tells. */
export function toldSpread(org: string, first: string | undefined, states: PeersSeen['states']): number {
  const told = first === undefined ? undefined : (states.get(first) as Told | undefined);
  return told?.spread[org] ?? 1;
}
