import { DateTime } from 'luxon';

/** Written from docs/design/tiers.md, without code of the service. */

export interface ReplayTerms {
  period: 'month' | 'year';
  /** Periods that a term lasts beyond the end of its own. */
  value: number;
  downgrade: 'none' | 'one' | 'full';
  graceDays: number;
  zone: string;
}

/** Thresholds of the levels 1, 2 and 3. */
export const thresholds = [100, 300, 1000];

export interface Posted {
  date: Date;
  value: number;
}

interface Held {
  level: number;
  /** The first period in which the level is over. */
  end: number;
}

/** Replays a member day by day, as if every activity had come on its date. */
export class Replay {
  private held: Held = { level: 0, end: Number.POSITIVE_INFINITY };

  private readonly activities: readonly { index: number; ms: number; value: number }[];

  constructor(
    private readonly terms: ReplayTerms,
    activities: readonly Posted[],
  ) {
    this.activities = activities.map(({ date, value }) => {
      const index = this.indexOf(DateTime.fromJSDate(date, { zone: terms.zone }));
      return { index, ms: date.getTime(), value };
    });
  }

  /** The level at the beginning of the day after the last one, before anything of that day. */
  run(first: DateTime, last: DateTime): number {
    let day = first;
    while (day <= last) {
      this.endOf(day);
      this.riseOn(day);
      day = day.plus({ days: 1 });
    }
    this.endOf(day);
    return this.held.level;
  }

  private indexOf(day: DateTime): number {
    return this.terms.period === 'year' ? day.year : day.year * 12 + day.month - 1;
  }

  private startOf(index: number): DateTime {
    const { period, zone } = this.terms;
    if (period === 'year') return DateTime.fromObject({ year: index, month: 1, day: 1 }, { zone });
    return DateTime.fromObject({ year: Math.floor(index / 12), month: (index % 12) + 1, day: 1 }, { zone });
  }

  /** The level that a period reaches by activities before a moment. */
  private reached(index: number, before: DateTime): number {
    const own = this.activities.filter((each) => each.index === index && each.ms < before.toMillis());
    const sum = own.reduce((total, { value }) => total + value, 0);
    return thresholds.filter((threshold) => sum >= threshold).length;
  }

  private riseOn(day: DateTime): void {
    const present = this.indexOf(day);
    const level = this.reached(present, day.plus({ days: 1 }));
    const isInGrace = this.held.end <= present;
    if (level > this.held.level || (isInGrace && level === this.held.level && level > 0)) {
      this.held = { level, end: present + this.terms.value + 1 };
    }
  }

  /** What happens at the beginning of a day to a level that is over. */
  private endOf(day: DateTime): void {
    const { value, downgrade, graceDays } = this.terms;
    const { level, end } = this.held;
    const present = this.indexOf(day);
    if (level === 0 || end > present) return;
    const isAtEnd = day.toMillis() === this.startOf(end).toMillis();
    const claims = [...Array(value + 1).keys()]
      .map((back) => ({ level: this.reached(present - back, day), end: present - back + value + 1 }))
      .filter((claim) => claim.end > present);
    const renewing = claims.filter((claim) => claim.level >= level);
    const landing = end + value > present ? end + value : present + value + 1;
    if (isAtEnd && renewing.length > 0) {
      this.held = { level, end: Math.max(...renewing.map((claim) => claim.end)) };
    } else if (isAtEnd && downgrade === 'none') this.held = { level, end: landing };
    else if (day >= this.startOf(end).plus({ days: graceDays })) {
      const best = Math.max(...claims.map((claim) => claim.level));
      const next = downgrade === 'one' ? Math.max(level - 1, best) : best;
      const ends = claims.filter((claim) => claim.level >= next).map((claim) => claim.end);
      this.held = { level: next, end: Math.max(...(downgrade === 'one' ? [landing] : []), ...ends) };
    }
  }
}
