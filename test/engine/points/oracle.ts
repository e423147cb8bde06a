/**
 * The expected behaviour of the ledger, written as simply as possible and without its code. Lots are in a list that is
 * sorted and summed again each time. Times and terms are in minutes, so that no calendar is needed.
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
  /** When the lot last repaid debt, and the number of that repayment. */
  repaidAt: number;
  repaidNth: number;
  /** Burned points whose award was reversed: charged as debt, or forgiven. */
  charged: number;
  forgiven: number;
  earnedAt: number;
  releasedAt: number;
  expiresAt: number;
}

export interface OracleActivity {
  earned: { lot: string; points: number; returned: number; charged: number }[];
  spent: { lot: string; points: number; restored: number; arrivedAs?: string }[];
  debts: { purse: number; points: number; restored: number }[];
}

/** The part of a lot to reverse, and its source when it came from another purse. */
interface Asked {
  part: OracleActivity['earned'][number];
  source: OracleActivity['spent'][number] | undefined;
  left: number;
}

const emptyLot = {
  escrow: 0,
  available: 0,
  burned: 0,
  expired: 0,
  reversed: 0,
  repaid: 0,
  repaidAt: 0,
  repaidNth: 0,
  charged: 0,
  forgiven: 0,
};

export class Oracle {
  readonly lots: OracleLot[] = [];
  readonly debt: number[];
  /** When points of each purse expire by inactivity; undefined before the first points came. */
  readonly inactiveOn: (number | undefined)[];
  now = 0;
  private repayments = 0;

  constructor(readonly policies: readonly OraclePolicy[]) {
    this.debt = policies.map(() => 0);
    this.inactiveOn = policies.map(() => undefined);
  }

  /** Notes an activity that counts against inactivity. */
  act(at: number): void {
    this.policies.forEach((_, purse) => {
      this.countFrom(purse, at);
    });
  }

  /** Settles date by date. At each date lots expire first, then released lots join the balance and repay debt. */
  settle(): void {
    for (let at = this.firstDue(); at <= this.now; at = this.firstDue()) {
      for (const purse of this.policies.keys()) {
        this.expireBy(purse, at);
        for (const lot of this.lots.filter((one) => one.purse === purse && one.escrow > 0 && one.releasedAt <= at)) {
          this.join(purse, lot.releasedAt);
          lot.available += lot.escrow;
          lot.escrow = 0;
        }
        this.expireBy(purse, at);
        this.repay(purse, at);
      }
    }
  }

  private firstDue(): number {
    const dates = this.lots.flatMap((lot) => {
      const released = lot.escrow > 0 ? [lot.releasedAt] : [];
      return lot.available > 0 ? [...released, this.endOf(lot)] : released;
    });
    return Math.min(Number.POSITIVE_INFINITY, ...dates);
  }

  private endOf(lot: OracleLot): number {
    const byInactivity = this.policy(lot.purse).inactivityMinutes > 0 ? this.inactiveOn[lot.purse] : undefined;
    return Math.min(lot.expiresAt, byInactivity ?? Number.POSITIVE_INFINITY);
  }

  private expireBy(purse: number, at: number): void {
    for (const lot of this.lots.filter((one) => one.purse === purse && one.available > 0 && this.endOf(one) <= at)) {
      lot.expired += lot.available;
      lot.available = 0;
    }
  }

  /** Expires all lots whose date has passed, now instead of at their date. The other lots repay debt. */
  private settleNow(): void {
    for (const purse of this.policies.keys()) {
      this.expireBy(purse, this.now);
      this.repay(purse, this.now);
    }
  }

  earn(activity: OracleActivity, id: string, purse: number, points: number, at: number): void {
    const { escrowMinutes, expiryMinutes } = this.policy(purse);
    const releasedAt = at + escrowMinutes;
    const expiresAt = expiryMinutes === 0 ? Number.POSITIVE_INFINITY : releasedAt + expiryMinutes;
    const lot = { ...emptyLot, id, purse, earnedAt: at, releasedAt, expiresAt };
    if (escrowMinutes === 0) this.join(purse, at);
    this.lots.push(lot);
    activity.earned.push({ lot: id, points, returned: 0, charged: 0 });
    // An award with a past date was not available at any date before now.
    if (releasedAt <= this.now) {
      if (escrowMinutes > 0) {
        if ((this.inactiveOn[purse] ?? releasedAt) <= releasedAt) this.countFrom(purse, releasedAt);
      }
      lot.available = points;
    } else lot.escrow = points;
    this.settleNow();
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
    const kept = activity.spent.filter(({ arrivedAs }) => arrivedAs === undefined);
    for (const part of kept) {
      this.comeBack(this.lot(part.lot), share(part.points) - part.restored);
      part.restored = share(part.points);
    }
    for (const part of activity.debts) {
      this.unmakeDebt(part.purse, share(part.points) - part.restored);
      part.restored = share(part.points);
    }
    const sourceOf = (lot: string) => activity.spent.find(({ arrivedAs }) => arrivedAs === lot);
    const requests = activity.earned.map((part) => {
      const points = share(part.points) - part.returned;
      part.returned = share(part.points);
      return { part, source: sourceOf(part.lot), left: points };
    });
    const transfers = requests.filter(({ source }) => source !== undefined).reverse();
    const awards = requests.filter(({ source }) => source === undefined);
    for (const one of [...transfers, ...awards]) this.takeThere(one);
    this.settleNow();
    for (const one of transfers) this.charge(one);
    this.settleNow();
    for (const one of awards) this.charge(one);
  }

  /**
   * Moves points between purses; each part keeps its dates.
   * @returns false when there are not enough points
   */
  transfer(
    activity: OracleActivity,
    ids: readonly string[],
    { from, to, points }: { from: number; to: number; points: number },
  ): boolean {
    if (points > this.available(from) - this.owed(from)) return false;
    let left = points;
    let arrived = 0;
    for (const lot of this.inBurnOrder(from)) {
      const part = Math.min(left, lot.available);
      if (part === 0) continue;
      lot.available -= part;
      lot.burned += part;
      left -= part;
      const id = ids[arrived++] ?? '';
      activity.spent.push({ lot: lot.id, points: part, restored: 0, arrivedAs: id });
      activity.earned.push({ lot: id, points: part, returned: 0, charged: 0 });
      this.arrive(id, lot, part, { from, to });
    }
    return true;
  }

  private arrive(id: string, left: OracleLot, available: number, { from, to }: { from: number; to: number }): void {
    const byInactivity = this.policy(from).inactivityMinutes > 0 ? this.inactiveOn[from] : undefined;
    const endsAt = Math.min(left.expiresAt, byInactivity ?? Number.POSITIVE_INFINITY);
    const expiresAt = this.policy(to).inactivityMinutes > 0 ? Number.POSITIVE_INFINITY : endsAt;
    const { earnedAt, releasedAt } = left;
    this.lots.push({ ...emptyLot, id, purse: to, available, earnedAt, releasedAt, expiresAt });
    this.join(to, this.now);
    this.repay(to, this.now);
  }

  /** Takes over all lots and debt of another member. */
  absorb(other: Oracle): void {
    this.inactiveOn.forEach((at, purse) => {
      const theirs = other.inactiveOn[purse];
      if (theirs !== undefined) this.inactiveOn[purse] = Math.max(at ?? theirs, theirs);
      this.debt[purse] = this.owed(purse) + other.owed(purse);
      other.debt[purse] = 0;
    });
    this.lots.push(...other.lots.splice(0));
    this.policies.forEach((_, purse) => {
      this.repay(purse, this.now);
    });
  }

  available(purse: number): number {
    return this.lots.filter((lot) => lot.purse === purse).reduce((sum, lot) => sum + lot.available, 0);
  }

  owed(purse: number): number {
    return this.debt[purse] ?? 0;
  }

  /** Begins a new inactivity period when points come and the date has passed or is missing. */
  private join(purse: number, at: number): void {
    if ((this.inactiveOn[purse] ?? at) <= at) this.countFrom(purse, at);
  }

  private countFrom(purse: number, at: number): void {
    const { inactivityMinutes } = this.policy(purse);
    if (inactivityMinutes === 0) return;
    this.inactiveOn[purse] = Math.max(this.inactiveOn[purse] ?? Number.NEGATIVE_INFINITY, at + inactivityMinutes);
  }

  /** Restores burned points. When their award was reversed they are reversed too, and the charge for them is undone. */
  private comeBack(lot: OracleLot, points: number, how: 'spent' | 'repaid' | 'gone' = 'spent'): void {
    const charged = Math.min(points, lot.charged);
    const forgiven = Math.min(points - charged, lot.forgiven);
    const reversed = how === 'gone' ? points : charged + forgiven;
    lot.burned -= points;
    if (how === 'repaid') lot.repaid -= points;
    lot.charged -= charged;
    lot.forgiven -= forgiven;
    lot.reversed += reversed;
    lot.available += points - reversed;
    this.unmakeDebt(lot.purse, charged);
  }

  private unmakeDebt(purse: number, points: number): void {
    if (points > 0) for (const lot of this.lots) if (lot.purse === purse) this.unmakeCircle(lot);
    for (let left = points; left > 0; left -= 1) {
      if (this.owed(purse) > 0) {
        this.debt[purse] = this.owed(purse) - 1;
        continue;
      }
      const [latest] = this.lots
        .filter((lot) => lot.purse === purse && lot.repaid > 0)
        .sort((a, b) => b.repaidAt - a.repaidAt || b.repaidNth - a.repaidNth);
      if (!latest) throw new Error('debt that was made is owed or was repaid');
      this.comeBack(latest, 1, 'repaid');
    }
  }

  /** What repaid debt and was charged as debt again, since its award was reversed, is reversed too. */
  private unmakeCircle(lot: OracleLot): void {
    const points = Math.min(lot.repaid, lot.charged);
    lot.burned -= points;
    lot.repaid -= points;
    lot.charged -= points;
    lot.reversed += points;
  }

  private takeThere(requested: Asked): void {
    const { part, source } = requested;
    const lot = this.lot(part.lot);
    const isPendingOnly = this.policy(lot.purse).clawback === 'pendingOnly' && !source;
    for (const from of isPendingOnly ? (['escrow'] as const) : (['escrow', 'available'] as const)) {
      const points = Math.min(requested.left, lot[from]);
      lot[from] -= points;
      lot.reversed += points;
      requested.left -= points;
      if (source) this.goBack(source, points);
    }
  }

  private charge(requested: Asked): void {
    this.takeThere(requested);
    const { part, source, left } = requested;
    const lot = this.lot(part.lot);
    const { clawback } = this.policy(lot.purse);
    const mayKeep = part.points - part.returned;
    const usedTooMuch = Math.max(0, lot.burned - lot.charged - lot.forgiven - mayKeep);
    const points = clawback === 'pendingOnly' ? 0 : Math.min(left, usedTooMuch);
    const covered = this.owed(lot.purse) > 0 ? 0 : this.available(lot.purse);
    const charged = clawback === 'toZero' ? Math.min(points, covered) : points;
    part.charged += points;
    lot.charged += charged;
    lot.forgiven += points - charged;
    this.debt[lot.purse] = this.owed(lot.purse) + charged;
    this.repay(lot.purse, this.now);
    if (!source) return;
    this.goBack(source, charged);
    this.comeBack(this.lot(source.lot), left - charged, 'gone');
    source.restored += left - charged;
  }

  private goBack(source: OracleActivity['spent'][number], points: number): void {
    this.comeBack(this.lot(source.lot), points);
    source.restored += points;
  }

  private repay(purse: number, at: number): void {
    for (const lot of this.inBurnOrder(purse)) {
      const part = Math.min(this.owed(purse), lot.available);
      if (part === 0) continue;
      lot.available -= part;
      lot.burned += part;
      lot.repaid += part;
      this.repayments += 1;
      lot.repaidAt = at;
      lot.repaidNth = this.repayments;
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
