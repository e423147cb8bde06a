/**
 * What the ledger should do, said again as plainly as possible and sharing no code with it: lots in a list, sorted and
 * summed anew each time, times in minutes. Terms are given in minutes so that no calendar is needed.
 */
export interface OraclePolicy {
  overdraft: number;
  clawback: 'full' | 'toZero' | 'pendingOnly';
  escrowMinutes: number;
  /** 0: never. */
  expiryMinutes: number;
  /** 0: not by inactivity. */
  inactivityMinutes: number;
}

export interface OracleLot {
  id: string;
  purse: number;
  escrow: number;
  available: number;
  burned: number;
  expired: number;
  reversed: number;
  repaid: number;
  /** Counts repayments; larger is later. */
  repaidAt: number;
  earnedAt: number;
  releasedAt: number;
  expiresAt: number;
}

export interface OracleActivity {
  earned: { lot: string; points: number; returned: number; charged: number }[];
  spent: { lot: string; points: number; restored: number }[];
  debts: { purse: number; points: number; restored: number }[];
}

export class Oracle {
  readonly lots: OracleLot[] = [];
  readonly debt: number[];
  /** When points of each purse expire by inactivity; undefined before the first came. */
  readonly inactiveOn: (number | undefined)[];
  now = 0;
  private repayments = 0;

  constructor(readonly policies: readonly OraclePolicy[]) {
    this.debt = policies.map(() => 0);
    this.inactiveOn = policies.map(() => undefined);
  }

  /** The member did something that counts. */
  act(at: number): void {
    this.policies.forEach((_, purse) => {
      this.countFrom(purse, at);
    });
  }

  settle(): void {
    const inTime = [...this.lots].sort((a, b) => a.releasedAt - b.releasedAt);
    for (const lot of inTime.filter(({ escrow, releasedAt }) => escrow > 0 && releasedAt <= this.now)) {
      this.expireInactive(lot.purse, lot.releasedAt);
      this.join(lot.purse, lot.releasedAt);
      lot.available += lot.escrow;
      lot.escrow = 0;
    }
    for (const lot of this.lots) {
      if (lot.expiresAt <= this.now) {
        lot.expired += lot.available;
        lot.available = 0;
      }
    }
    this.policies.forEach((_, purse) => {
      this.expireInactive(purse, this.now);
      this.repay(purse);
    });
  }

  earn(activity: OracleActivity, id: string, purse: number, points: number, at: number): void {
    const { escrowMinutes, expiryMinutes } = this.policy(purse);
    const releasedAt = at + escrowMinutes;
    const expiresAt = expiryMinutes === 0 ? Number.POSITIVE_INFINITY : releasedAt + expiryMinutes;
    const parts = { escrow: 0, available: 0, burned: 0, expired: 0, reversed: 0, repaid: 0, repaidAt: 0 };
    if (escrowMinutes > 0) parts.escrow = points;
    else parts.available = points;
    if (escrowMinutes === 0) this.join(purse, at);
    this.lots.push({ id, purse, ...parts, earnedAt: at, releasedAt, expiresAt });
    activity.earned.push({ lot: id, points, returned: 0, charged: 0 });
    this.settle();
  }

  canSpend(purse: number, points: number): boolean {
    return points <= this.available(purse) - this.owed(purse) + this.policy(purse).overdraft;
  }

  spend(activity: OracleActivity, purse: number, points: number): void {
    let left = points;
    for (const lot of this.inBurnOrder(purse)) {
      const part = Math.min(left, lot.available);
      if (part === 0) continue;
      lot.available -= part;
      lot.burned += part;
      left -= part;
      activity.spent.push({ lot: lot.id, points: part, restored: 0 });
    }
    if (left === 0) return;
    this.debt[purse] = this.owed(purse) + left;
    activity.debts.push({ purse, points: left, restored: 0 });
  }

  giveBack(activity: OracleActivity, returned: number, of: number): void {
    const share = (points: number) => Math.floor((points * returned) / of);
    for (const part of activity.spent) {
      const points = share(part.points) - part.restored;
      const lot = this.lot(part.lot);
      lot.burned -= points;
      lot.available += points;
      part.restored += points;
    }
    for (const part of activity.debts) {
      this.unmakeDebt(part.purse, share(part.points) - part.restored);
      part.restored = share(part.points);
    }
    const charges = activity.earned.map((part) => this.takeBack(part, share(part.points)));
    this.settle();
    for (const { purse, points } of charges) this.charge(purse, points);
  }

  /** Moves points between purses, each part with its dates; false when there are not so many. */
  transfer(ids: readonly string[], { from, to, points }: { from: number; to: number; points: number }): boolean {
    if (points > this.available(from) - this.owed(from)) return false;
    let left = points;
    let arrived = 0;
    for (const lot of this.inBurnOrder(from)) {
      const part = Math.min(left, lot.available);
      if (part === 0) continue;
      lot.available -= part;
      lot.burned += part;
      left -= part;
      this.arrive(ids[arrived++] ?? '', lot, part, { from, to });
    }
    return true;
  }

  private arrive(id: string, left: OracleLot, available: number, { from, to }: { from: number; to: number }): void {
    const byInactivity = this.policy(from).inactivityMinutes > 0 ? this.inactiveOn[from] : undefined;
    const endsAt = Math.min(left.expiresAt, byInactivity ?? Number.POSITIVE_INFINITY);
    const expiresAt = this.policy(to).inactivityMinutes > 0 ? Number.POSITIVE_INFINITY : endsAt;
    const { earnedAt, releasedAt } = left;
    const parts = { escrow: 0, available, burned: 0, expired: 0, reversed: 0, repaid: 0, repaidAt: 0 };
    this.lots.push({ id, purse: to, ...parts, earnedAt, releasedAt, expiresAt });
    this.join(to, this.now);
    this.repay(to);
  }

  /** Takes over all that another member has left, and owes. */
  absorb(other: Oracle): void {
    this.inactiveOn.forEach((at, purse) => {
      const theirs = other.inactiveOn[purse];
      if (theirs !== undefined) this.inactiveOn[purse] = Math.max(at ?? theirs, theirs);
      this.debt[purse] = this.owed(purse) + other.owed(purse);
      other.debt[purse] = 0;
    });
    this.lots.push(...other.lots.splice(0));
    this.policies.forEach((_, purse) => {
      this.repay(purse);
    });
  }

  available(purse: number): number {
    return this.lots.filter((lot) => lot.purse === purse).reduce((sum, lot) => sum + lot.available, 0);
  }

  owed(purse: number): number {
    return this.debt[purse] ?? 0;
  }

  /** Points that come when the date is past, or there is none, begin a new one. */
  private join(purse: number, at: number): void {
    if ((this.inactiveOn[purse] ?? at) <= at) this.countFrom(purse, at);
  }

  private countFrom(purse: number, at: number): void {
    const { inactivityMinutes } = this.policy(purse);
    if (inactivityMinutes === 0) return;
    this.inactiveOn[purse] = Math.max(this.inactiveOn[purse] ?? Number.NEGATIVE_INFINITY, at + inactivityMinutes);
  }

  private expireInactive(purse: number, by: number): void {
    if ((this.inactiveOn[purse] ?? Number.POSITIVE_INFINITY) > by) return;
    for (const lot of this.lots.filter((one) => one.purse === purse)) {
      lot.expired += lot.available;
      lot.available = 0;
    }
  }

  private unmakeDebt(purse: number, points: number): void {
    const lowered = Math.min(points, this.owed(purse));
    this.debt[purse] = this.owed(purse) - lowered;
    let left = points - lowered;
    const latestFirst = this.lots.filter((lot) => lot.purse === purse).sort((a, b) => b.repaidAt - a.repaidAt);
    for (const lot of latestFirst) {
      const part = Math.min(left, lot.repaid);
      lot.repaid -= part;
      lot.burned -= part;
      lot.available += part;
      left -= part;
    }
  }

  private takeBack(part: OracleActivity['earned'][number], target: number): { purse: number; points: number } {
    const lot = this.lot(part.lot);
    const { clawback } = this.policy(lot.purse);
    let left = target - part.returned;
    part.returned = target;
    for (const from of clawback === 'pendingOnly' ? (['escrow'] as const) : (['escrow', 'available'] as const)) {
      const points = Math.min(left, lot[from]);
      lot[from] -= points;
      lot.reversed += points;
      left -= points;
    }
    const mayKeep = part.points - target;
    const usedTooMuch = Math.max(0, lot.burned - part.charged - mayKeep);
    const points = clawback === 'pendingOnly' ? 0 : Math.min(left, usedTooMuch);
    part.charged += points;
    return { purse: lot.purse, points };
  }

  private charge(purse: number, points: number): void {
    const covered = this.owed(purse) > 0 ? 0 : this.available(purse);
    const charged = this.policy(purse).clawback === 'toZero' ? Math.min(points, covered) : points;
    this.debt[purse] = this.owed(purse) + charged;
    this.repay(purse);
  }

  private repay(purse: number): void {
    for (const lot of this.inBurnOrder(purse)) {
      const part = Math.min(this.owed(purse), lot.available);
      if (part === 0) continue;
      lot.available -= part;
      lot.burned += part;
      lot.repaid += part;
      this.repayments += 1;
      lot.repaidAt = this.repayments;
      this.debt[purse] = this.owed(purse) - part;
    }
  }

  private inBurnOrder(purse: number): OracleLot[] {
    const never = 1e12;
    return this.lots
      .filter((lot) => lot.purse === purse && lot.available > 0)
      .sort(
        (a, b) =>
          Math.min(a.expiresAt, never) - Math.min(b.expiresAt, never) ||
          a.earnedAt - b.earnedAt ||
          (a.id < b.id ? -1 : 1),
      );
  }

  private policy(purse: number): OraclePolicy {
    const policy = this.policies[purse];
    if (!policy) throw new Error(`no policy ${purse}`);
    return policy;
  }

  private lot(id: string): OracleLot {
    const lot = this.lots.find((one) => one.id === id);
    if (!lot) throw new Error(`no lot ${id}`);
    return lot;
  }
}
