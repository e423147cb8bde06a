/**
 * What docs/design/points.md and occasions.md say about points that expire, as plainly as possible. It uses nothing of
 * the service: local times come from `Intl`.
 */

/** The terms of a purse, in the words of the design page. */
export interface PurseTerms {
  name: string;
  /** Days that points wait before they join the balance. */
  escrowDays?: number;
  expiry:
    | { type: 'rolling'; days: number }
    | { type: 'rolling'; months: number; snap: 'endOfMonth' }
    | { type: 'inactivity'; days: number };
}

interface OracleLot {
  left: number;
  /** When the points join the balance. */
  joins: number;
  earned: number;
  /** Undefined: at the date of the purse. */
  expires: number | undefined;
}

/** Points that expire on a day, as an occasion tells them. */
export interface Announced {
  purse: string;
  points: number;
  on: string;
}

/** One member's purses. Times are milliseconds, and never go back. */
export class ExpiryOracle {
  /** The points that expired, with the moment, in the order of moments. */
  readonly expired: (Announced & { at: number })[] = [];
  private readonly lots = new Map<string, OracleLot[]>();
  private inactiveOn: number | undefined;

  constructor(
    private readonly purses: readonly PurseTerms[],
    private readonly timezone: string,
  ) {
    for (const { name } of purses) this.lots.set(name, []);
  }

  /** An Accrual that gives points into one purse. */
  earn(purse: string, points: number, at: number): void {
    this.settle(at);
    this.act(at);
    const { expiry, escrowDays = 0 } = this.termsOf(purse);
    const joins = this.daysLater(at, escrowDays);
    const expires = expiry.type === 'inactivity' ? undefined : this.endOf(expiry, joins);
    this.lotsOf(purse).push({ left: points, joins, earned: at, expires });
  }

  /** A Redemption: those that expire first are burned first. */
  burn(purse: string, points: number, at: number): void {
    this.settle(at);
    this.act(at);
    const far = Number.MAX_SAFE_INTEGER;
    const order = (a: OracleLot, b: OracleLot) => (a.expires ?? far) - (b.expires ?? far) || a.earned - b.earned;
    let rest = points;
    for (const lot of this.lotsOf(purse).sort(order)) {
      if (lot.joins > at) continue;
      const taken = Math.min(rest, lot.left);
      lot.left -= taken;
      rest -= taken;
    }
    if (rest > 0) throw new Error('the test may only burn what is there');
  }

  /** What can be spent. */
  available(purse: string, at: number): number {
    this.settle(at);
    return sumOf(this.lotsOf(purse).filter(({ joins }) => joins <= at));
  }

  /** What a job at a moment tells of the day that is so many days later: once for each purse. */
  expiringIn(days: number, at: number): Announced[] {
    this.settle(at);
    const on = dayOf(this.daysLater(at, days), this.timezone);
    return this.purses.flatMap(({ name }) => {
      const due = this.lotsOf(name).filter((lot) => {
        const end = lot.expires ?? this.inactiveOn;
        return lot.joins <= at && end !== undefined && dayOf(end, this.timezone) === on;
      });
      const points = sumOf(due);
      return points > 0 ? [{ purse: name, points, on }] : [];
    });
  }

  /** Lets everything expire whose moment has come. */
  settle(now: number): void {
    for (const { name } of this.purses) {
      const lots = this.lotsOf(name);
      const moments = lots.flatMap((lot) => lot.expires ?? this.inactiveOn ?? []).filter((end) => end <= now);
      for (const at of [...new Set(moments)].sort((a, b) => a - b)) {
        const ending = lots.filter((lot) => (lot.expires ?? this.inactiveOn) === at);
        const points = sumOf(ending);
        for (const lot of ending) lot.left = 0;
        if (points > 0) this.expired.push({ purse: name, points, on: dayOf(at, this.timezone), at });
      }
    }
    this.expired.sort((a, b) => a.at - b.at || (a.purse < b.purse ? -1 : 1));
  }

  /** Each Accrual and Redemption moves the date of inactivity, whichever purse it is for. */
  private act(at: number): void {
    const idle = this.purses.flatMap(({ expiry }) => (expiry.type === 'inactivity' ? [expiry.days] : []))[0];
    if (idle !== undefined) this.inactiveOn = this.daysLater(at, idle);
  }

  private endOf(expiry: Exclude<PurseTerms['expiry'], { type: 'inactivity' }>, from: number): number {
    if ('days' in expiry) return this.daysLater(from, expiry.days);
    const [year, month] = wallOf(from, this.timezone);
    return instantAt([year, month + expiry.months + 1, 1, 0, 0, 0, 0], this.timezone);
  }

  /** The same local time of day, so many days later. */
  private daysLater(from: number, days: number): number {
    const [year, month, day, ...time] = wallOf(from, this.timezone);
    return instantAt([year, month, day + days, ...time], this.timezone);
  }

  private termsOf(purse: string): PurseTerms {
    const terms = this.purses.find(({ name }) => name === purse);
    if (!terms) throw new Error(`no purse ${purse}`);
    return terms;
  }

  private lotsOf(purse: string): OracleLot[] {
    return this.lots.get(purse) ?? [];
  }
}

function sumOf(lots: readonly OracleLot[]): number {
  return lots.reduce((sum, { left }) => sum + left, 0);
}

/** Year, month (from 1), day, hour, minute, second and millisecond on a wall clock. */
type Wall = [number, number, number, number, number, number, number];

const formats = new Map<string, Intl.DateTimeFormat>();

function wallOf(at: number, timeZone: string): Wall {
  const options = { timeZone, hourCycle: 'h23', calendar: 'gregory' } as const;
  const parts = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const;
  const known = formats.get(timeZone);
  const format = known ?? new Intl.DateTimeFormat('en-US', { ...options, ...parts, second: 'numeric' });
  formats.set(timeZone, format);
  const values = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const of = (type: Intl.DateTimeFormatPartTypes) => values.get(type) ?? Number.NaN;
  return [of('year'), of('month'), of('day'), of('hour'), of('minute'), of('second'), ((at % 1000) + 1000) % 1000];
}

/** The instant at which a wall clock shows a time. The test asks for no time that the clocks skip or show twice. */
export function instantAt([year, month, day, hour, minute, second, ms]: Wall, timezone: string): number {
  const wanted = Date.UTC(year, month - 1, day, hour, minute, second, ms);
  const shown = (at: number) => {
    const [y, m, d, h, min, s, milli] = wallOf(at, timezone);
    return Date.UTC(y, m - 1, d, h, min, s, milli);
  };
  // The offset on the day before may be another one, so the guess is corrected twice.
  const first = wanted - (shown(wanted) - wanted);
  return first + (wanted - shown(first));
}

/** The day of an instant: YYYY-MM-DD. */
function dayOf(at: number, timezone: string): string {
  const [year, month, day] = wallOf(at, timezone);
  return new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10);
}

/** The next moment after another at which a wall clock shows an hour. */
export function nextHour(after: number, hour: number, timezone: string): number {
  const [year, month, day] = wallOf(after, timezone);
  const today = instantAt([year, month, day, hour, 0, 0, 0], timezone);
  return today > after ? today : instantAt([year, month, day + 1, hour, 0, 0, 0], timezone);
}
