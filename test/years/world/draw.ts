import type { Unit } from '../oracle/calendar';
import type { Limit } from '../oracle/limits';
import type { Clawback, Escrow, Expiry, PursePolicy } from '../oracle/terms';
import type { TierPolicy } from '../oracle/tiers';
import type { PerPurse } from './rules';

/** Draws a number from 0 up to, but not including, n. */
export type Random = (n: number) => number;

/** Years in which these zones did what clocks seldom do. */
const eras = [
  {
    from: '2010-10-15T12:00:00.000Z',
    zones: ['Pacific/Apia', 'America/Sao_Paulo', 'America/St_Johns', 'Africa/Cairo', 'Asia/Kathmandu', 'Asia/Gaza'],
  },
  {
    from: '2016-09-20T12:00:00.000Z',
    zones: ['America/Sao_Paulo', 'Africa/Casablanca', 'Asia/Pyongyang', 'Europe/Volgograd', 'Australia/Lord_Howe'],
  },
  {
    from: '2021-12-20T12:00:00.000Z',
    zones: ['Asia/Tehran', 'Asia/Amman', 'America/Nuuk', 'America/Scoresbysund', 'Pacific/Chatham', 'Asia/Almaty'],
  },
  {
    from: '2027-06-10T12:00:00.000Z',
    zones: ['America/Havana', 'Africa/Cairo', 'Africa/Casablanca', 'Antarctica/Troll', 'Pacific/Kiritimati'],
  },
] as const;

/** One of several. */
export function oneOf<T>(list: readonly T[], random: Random): T {
  const drawn = list[random(list.length)];
  if (drawn === undefined) throw new RangeError('an empty list');
  return drawn;
}

/** The beginning of three years, and four zones for them. */
export function drawEra(random: Random): { start: number; zones: string[] } {
  const era = oneOf(eras, random);
  const left: string[] = [...era.zones];
  const zones = Array.from({ length: 4 }, () => left.splice(random(left.length), 1)[0] ?? 'UTC');
  return { start: Date.parse(era.from) + random(86_400_000), zones };
}

/** Purse policies: one with terms that roll, one of a date of the year, one of inactivity, one without end. */
export function drawPolicies(random: Random): PursePolicy[] {
  const rest = (): Pick<PursePolicy, 'overdraftLimit' | 'clawback' | 'escrow'> => ({
    overdraftLimit: oneOf([0, 0, 150], random),
    clawback: oneOf<Clawback>(['full', 'full', 'toZero', 'pendingOnly'], random),
    escrow: drawEscrow(random),
  });
  return [
    { name: 'Points', primary: true, ...rest(), expiry: drawRolling(random) },
    { name: 'Miles', primary: false, ...rest(), expiry: drawCalendar(random) },
    { name: 'Stars', primary: false, ...rest(), expiry: drawInactivity(random) },
    { name: 'Coins', primary: false, ...rest(), expiry: { type: 'none' } },
  ];
}

function drawEscrow(random: Random): Escrow {
  const terms: [number, Unit][] = [
    [36, 'hour'],
    [3, 'day'],
    [2, 'week'],
    [1, 'month'],
  ];
  const [value, unit] = oneOf(terms, random);
  return random(2) === 0 ? { type: 'none' } : { type: 'duration', value, unit };
}

const snaps = ['none', 'endOfDay', 'endOfWeek', 'endOfMonth', 'endOfQuarter', 'endOfYear'] as const;

function drawRolling(random: Random): Expiry {
  const terms: [number, Unit][] = [
    [1000, 'hour'],
    [45, 'day'],
    [9, 'week'],
    [1, 'month'],
    [7, 'month'],
    [1, 'year'],
  ];
  const [value, unit] = oneOf(terms, random);
  return { type: 'rolling', value, unit, snap: oneOf(snaps, random) };
}

function drawCalendar(random: Random): Expiry {
  const days: [number, number][] = [
    [12, 31],
    [1, 1],
    [2, 28],
    [10, 16],
    [6, 30],
  ];
  const [month, day] = oneOf(days, random);
  return { type: 'calendar', month, day, value: random(2) };
}

function drawInactivity(random: Random): Expiry {
  const terms: [number, Unit][] = [
    [90, 'day'],
    [2, 'month'],
    [6, 'month'],
  ];
  const [value, unit] = oneOf(terms, random);
  return { type: 'inactivity', value, unit, snap: oneOf(snaps, random) };
}

/** The first purse may have a budget in place of a limit. */
export function drawBudgets(random: Random): PerPurse<number> {
  return random(2) === 0 ? {} : { Points: 2000 + random(6000) };
}

/** A limit for each purse but the first. */
export function drawLimits(random: Random): PerPurse<Limit> {
  const periods = ['day', 'week', 'month', 'quarter', 'year', 'lifetime'] as const;
  const windows = [
    { last: 30, unit: 'hour' },
    { last: 5, unit: 'day' },
    { last: 2, unit: 'week' },
    { last: 3, unit: 'month' },
  ] as const;
  const draw = (): Limit => {
    const what = oneOf(['points', 'points', 'times'] as const, random);
    const often = 1 + random(periods.length);
    const period = oneOf(
      [periods[often - 1] ?? 'day', periods[often - 1] ?? 'day', ...windows.slice(0, often)],
      random,
    );
    return {
      what,
      per: oneOf(['member', 'member', 'program'] as const, random),
      period,
      max: what === 'points' ? often * (50 + random(200)) : often + random(3),
      onExceed: oneOf(
        what === 'points' ? (['reduce', 'skip', 'reject'] as const) : (['skip', 'reject'] as const),
        random,
      ),
    };
  };
  return { Miles: draw(), Stars: draw(), Coins: draw() };
}

/** Two ladders: one whose terms go from day to day, and one of status years, quarters or months. */
export function drawTierPolicies(random: Random): TierPolicy[] {
  const downgrade = () => oneOf(['none', 'one', 'full'] as const, random);
  const grace = () => (random(2) === 0 ? {} : { grace: { value: 10 + random(15), unit: 'day' as const } });
  const terms = [
    { value: 40, unit: 'day' },
    { value: 3, unit: 'month' },
    { value: 1, unit: 'year' },
  ] as const;
  const years = [
    { basis: 'month', expiry: { value: 1, unit: 'month', snap: 'endOfMonth' } },
    { basis: 'quarter', expiry: { value: 3, unit: 'month', snap: 'endOfQuarter' } },
    { basis: 'year', expiry: { value: 1, unit: 'year', snap: 'endOfYear' } },
  ] as const;
  const ladder = (first: number) =>
    ['Base', 'Silver', 'Gold', 'Jade'].map((name, number) => ({ name, number, threshold: first + number * 130 }));
  const year = oneOf(years, random);
  return [
    {
      name: 'Club',
      levels: ladder(0),
      basis: { metric: 'spend', period: oneOf(['week', 'month', 'quarter', 'year'] as const, random) },
      downgrade: downgrade(),
      expiry: oneOf(terms, random),
      ...grace(),
    },
    {
      name: 'Status',
      levels: ladder(100),
      basis: { metric: oneOf(['pointsEarned', 'spend', 'pointsEarned:Miles'], random), period: year.basis },
      downgrade: downgrade(),
      expiry: year.expiry,
      ...grace(),
    },
  ];
}
