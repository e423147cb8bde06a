/**
 * The section "Reaching and losing a level" of docs/design/tiers.md, as plainly as possible, for a program in UTC and a
 * basis of months. It uses nothing of the service. Times are milliseconds, and never go back.
 */

const dayMs = 86_400_000;

/** The levels, lowest first, with their thresholds. */
export const ladder = [
  { name: 'Bronze', threshold: 100 },
  { name: 'Silver', threshold: 300 },
  { name: 'Gold', threshold: 1000 },
] as const;

/** The parts of a policy that say what happens at the end of a level. */
export interface Landing {
  downgrade: 'one' | 'full' | 'none';
  termDays: number;
  graceDays: number;
}

/** A change of the level: why, from which, to which. */
export type Change = [why: string, from: string | undefined, to: string | undefined];

export class LandingOracle {
  readonly changes: Change[] = [];
  /** Index in the ladder; -1: none. */
  private level = -1;
  private since = 0;
  private expires = 0;
  private readonly sums = new Map<string, number>();

  constructor(private readonly policy: Landing) {}

  /** The tier as an answer shows it. */
  get tier(): { level: string; since: string; expiresOn: string } | undefined {
    const level = this.nameOf(this.level);
    if (level === undefined) return undefined;
    return { level, since: new Date(this.since).toISOString(), expiresOn: new Date(this.expires).toISOString() };
  }

  spend(value: number, at: number): void {
    this.settle(at);
    this.sums.set(monthOf(at), this.sumAt(at) + value);
    const reached = this.reachedAt(at);
    if (this.isInGrace(at) && reached >= this.level) this.renew();
    if (reached > this.level) this.begin('reached', reached, at);
  }

  /** Lets all ends of levels come that are due, each at its own time. */
  settle(now: number): void {
    while (this.level >= 0 && this.expires <= now) {
      const renews = this.policy.downgrade === 'none' || this.reachedAt(this.expires) >= this.level;
      const landsAt = this.expires + this.policy.graceDays * dayMs;
      if (renews) this.renew();
      // A sum only changes by what is spent, and that is judged when it is spent.
      else if (landsAt > now) return;
      else this.land(landsAt);
    }
  }

  private land(at: number): void {
    const reached = this.reachedAt(at);
    const next = this.policy.downgrade === 'one' ? Math.max(this.level - 1, reached) : reached;
    this.begin(next < 0 ? 'expired' : 'downgraded', next, at);
  }

  private begin(why: string, level: number, at: number): void {
    this.changes.push([why, this.nameOf(this.level), this.nameOf(level)]);
    this.level = level;
    this.since = at;
    this.expires = at + this.policy.termDays * dayMs;
  }

  /** The next term counts from the old end. */
  private renew(): void {
    this.changes.push(['renewed', this.nameOf(this.level), this.nameOf(this.level)]);
    this.expires += this.policy.termDays * dayMs;
  }

  private isInGrace(at: number): boolean {
    return this.level >= 0 && this.expires <= at;
  }

  private sumAt(at: number): number {
    return this.sums.get(monthOf(at)) ?? 0;
  }

  private reachedAt(at: number): number {
    const sum = this.sumAt(at);
    return ladder.reduce((best, { threshold }, index) => (sum >= threshold ? index : best), -1);
  }

  private nameOf(level: number): string | undefined {
    return ladder[level]?.name;
  }
}

function monthOf(at: number): string {
  return new Date(at).toISOString().slice(0, 7);
}
