/** A unit of terms. */
export type Unit = 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year';
/** A period whose end a term may wait for. */
export type Snap = 'none' | 'endOfDay' | 'endOfWeek' | 'endOfMonth' | 'endOfQuarter' | 'endOfYear';
/** A period of the calendar, as aggregates, limits and tiers know them. */
export type Period = 'day' | 'week' | 'month' | 'quarter' | 'halfYear' | 'year' | 'lifetime';

export const dayMs = 86_400_000;
const minuteMs = 60_000;

const formats = new Map<string, Intl.DateTimeFormat>();
const offsets = new Map<string, number>();

/** How far the clocks of a zone are ahead of UTC, in milliseconds, by the runtime alone. */
function offsetAt(at: number, zone: string): number {
  // No zone changes within a quarter of an hour twice, and all change at full minutes.
  const minute = Math.floor(at / minuteMs);
  const key = `${zone} ${minute}`;
  const known = offsets.get(key);
  if (known !== undefined) return known;
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    });
    formats.set(zone, format);
  }
  const parts = new Map(format.formatToParts(minute * minuteMs).map(({ type, value }) => [type, Number(value)]));
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? Number.NaN;
  const shown = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'));
  const offset = shown - minute * minuteMs;
  if (offsets.size > 500_000) offsets.clear();
  offsets.set(key, offset);
  return offset;
}

/** What the clocks of a zone show, as if it was a moment of UTC. */
export function wallOf(at: number, zone: string): Date {
  return new Date(at + offsetAt(at, zone));
}

/**
 * The moment at which the clocks of a zone show this: the first one, when they show it twice. What they skip comes as
 * much later as they were set forward.
 */
export function momentOf(wall: number, zone: string): number {
  const before = offsetAt(wall - 2 * dayMs, zone);
  const around = [before, offsetAt(wall, zone), offsetAt(wall + 2 * dayMs, zone)];
  const candidates = around.map((offset) => wall - offset).filter((at) => at + offsetAt(at, zone) === wall);
  return candidates.length > 0 ? Math.min(...candidates) : wall - before;
}

/** A term of so many units later, at the same local time of day. A day that the month lacks is its last one. */
export function later(at: number, value: number, unit: Unit, zone: string): number {
  if (unit === 'minute') return at + value * minuteMs;
  if (unit === 'hour') return at + value * 60 * minuteMs;
  const wall = wallOf(at, zone);
  if (unit === 'day' || unit === 'week') {
    return momentOf(wall.getTime() + value * dayMs * (unit === 'week' ? 7 : 1), zone);
  }
  return momentOf(monthsLater(wall, unit === 'year' ? value * 12 : value), zone);
}

/** The same local time so many months later, or before. A day that the month lacks is its last one. */
export function monthsLater(wall: Date, months: number): number {
  const [year, month] = [wall.getUTCFullYear(), wall.getUTCMonth() + months];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(wall.getUTCDate(), lastDay)) + (wall.getTime() % dayMs);
}

/** The local midnight that ends the period with this moment. Weeks end with Saturday. */
export function snapped(at: number, snap: Snap, zone: string): number {
  if (snap === 'none') return at;
  const wall = wallOf(at, zone);
  const [year, month, day] = [wall.getUTCFullYear(), wall.getUTCMonth(), wall.getUTCDate()];
  const ends = {
    endOfDay: () => Date.UTC(year, month, day + 1),
    endOfWeek: () => Date.UTC(year, month, day + 7 - wall.getUTCDay()),
    endOfMonth: () => Date.UTC(year, month + 1, 1),
    endOfQuarter: () => Date.UTC(year, month - (month % 3) + 3, 1),
    endOfYear: () => Date.UTC(year + 1, 0, 1),
  };
  return momentOf(ends[snap](), zone);
}

/** The midnight that ends the first such day of a year on or after a moment, and so many years later. */
export function calendarEnd(at: number, month: number, day: number, years: number, zone: string): number {
  const wall = wallOf(at, zone);
  const today = wall.getTime() - (wall.getTime() % dayMs);
  const inYear = (year: number) => {
    const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate();
    return Date.UTC(year, month - 1, Math.min(day, lastDay));
  };
  const year = wall.getUTCFullYear();
  const first = inYear(year) >= today ? year : year + 1;
  return momentOf(inYear(first + years) + dayMs, zone);
}

/** The name of the period of a zone's calendar that has a moment. */
export function periodOf(period: Period, at: number, zone: string): string {
  const wall = wallOf(at, zone);
  const [year, month] = [wall.getUTCFullYear(), wall.getUTCMonth()];
  const names = {
    day: () => wall.toISOString().slice(0, 10),
    week: () => `${year} week ${weekOf(wall)}`,
    month: () => wall.toISOString().slice(0, 7),
    quarter: () => `${year} quarter ${Math.floor(month / 3) + 1}`,
    halfYear: () => `${year} half ${month < 6 ? 1 : 2}`,
    year: () => `${year}`,
    lifetime: () => 'always',
  };
  return names[period]();
}

/** Weeks begin on Sunday, and week 1 has 1 January. */
function weekOf(wall: Date): number {
  const newYear = new Date(Date.UTC(wall.getUTCFullYear(), 0, 1));
  const dayOfYear = Math.floor((wall.getTime() - newYear.getTime()) / dayMs) + 1;
  return Math.floor((dayOfYear - 1 + newYear.getUTCDay()) / 7) + 1;
}
