import { ObjectId } from 'bson';
import fc from 'fast-check';
import { grantLevel, keepLevels } from '#engine/tiers/grants';
import { climb, emptyLadder, setLevel } from '#engine/tiers/ladder';
import { lapseInTime } from '#engine/tiers/lapseInTime';
import type { LadderInput } from '#engine/tiers/levels';
import { mergeTiers, openTiers, shownTiers, storedLadder } from '#engine/tiers/memberTiers';
import type { Ladder } from '#records/members/memberTier';
import { scaled, seedsOf } from '../../support/scale';

const dayMs = 86_400_000;
const level = { name: 'Gold', number: 1 };

/** A date and time on a clock on the wall. */
interface Wall {
  year: number;
  /** From 0 on; 12 is January of the next year. */
  month: number;
  day: number;
  ms: number;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** How far the clocks of a zone are ahead of UTC, by the runtime. */
function aheadOf(at: number, timeZone: string): number {
  const options = { timeZone, hourCycle: 'h23' as const, year: 'numeric' as const, month: 'numeric' as const };
  const time = { day: 'numeric' as const, hour: 'numeric' as const, minute: 'numeric' as const };
  const format =
    formats.get(timeZone) ?? new Intl.DateTimeFormat('en-US', { ...options, ...time, second: 'numeric' as const });
  formats.set(timeZone, format);
  const shown = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = shown;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1000) * 1000;
}

/** The moment of a wall time: the first of two, or moved forward when the clocks leave it out. */
function momentOf({ year, month, day, ms }: Wall, zone: string): number {
  const wall = Date.UTC(year, month, day) + ms;
  const [before, after] = [wall - aheadOf(wall - dayMs, zone), wall - aheadOf(wall + dayMs, zone)];
  const shown = [before, after].filter((at) => at + aheadOf(at, zone) === wall);
  return shown.length > 0 ? Math.min(...shown) : before;
}

const lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function lastDayOf(year: number, month: number): number {
  const inYear = month % 12;
  const of = year + Math.floor(month / 12);
  const isLeap = of % 4 === 0 && (of % 100 !== 0 || of % 400 === 0);
  return inYear === 1 && isLeap ? 29 : (lengths[inYear] ?? 0);
}

interface Term {
  value: number;
  unit: 'day' | 'week' | 'month' | 'year';
  snap?: 'endOfDay';
}

/** The end of the nth term, counted from the first day alone. */
function nthEnd(start: Wall, n: number, { value, unit, snap }: Term, zone: string): number {
  const isDays = unit === 'day' || unit === 'week';
  const month = start.month + (isDays ? 0 : n * value * (unit === 'year' ? 12 : 1));
  const day = isDays
    ? start.day + n * value * (unit === 'week' ? 7 : 1)
    : Math.min(start.day, lastDayOf(start.year, month));
  return momentOf(snap ? { ...start, month, day: day + 1, ms: 0 } : { ...start, month, day }, zone);
}

const zones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Beirut',
  'Africa/Cairo',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Pacific/Kiritimati',
  'America/Santiago',
];

const starts = fc
  .record({
    year: fc.integer({ min: 2023, max: 2033 }),
    month: fc.nat(11),
    drawn: fc.oneof(fc.constantFrom(28, 29, 30, 31), fc.integer({ min: 1, max: 31 })),
    ms: fc.oneof(fc.nat(dayMs - 1), fc.constantFrom(0, 1, 5_400_000, 9_000_000, 84_600_000, dayMs - 1)),
  })
  .map(({ drawn, ...rest }): Wall => ({ ...rest, day: Math.min(drawn, lastDayOf(rest.year, rest.month)) }));

const terms = fc.oneof(
  { weight: 4, arbitrary: fc.record({ value: fc.integer({ min: 1, max: 14 }), unit: fc.constant('month' as const) }) },
  { weight: 2, arbitrary: fc.record({ value: fc.integer({ min: 1, max: 4 }), unit: fc.constant('year' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      value: fc.integer({ min: 1, max: 40 }),
      unit: fc.constantFrom('day' as const, 'week' as const),
    }),
  },
);

const ways = ['reached', 'set', 'kept', 'merged'] as const;

const cases = fc.record({
  start: starts,
  term: fc.tuple(terms, fc.boolean()).map(([term, snaps]): Term => (snaps ? { ...term, snap: 'endOfDay' } : term)),
  zone: fc.constantFrom(...zones),
  way: fc.constantFrom(...ways),
  downgrade: fc.constantFrom('none' as const, 'full' as const),
  graceDays: fc.constantFrom(0, 0, 3, 40),
  /** After which terms the timer comes; it misses the ones between. */
  comes: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 3, maxLength: 7 }),
  lateMs: fc.constantFrom(0, 1, 3_600_000),
});

type Case = typeof cases extends fc.Arbitrary<infer T> ? T : never;

const policyOf = ({ term, downgrade, graceDays }: Case): LadderInput['policy'] => ({
  _id: new ObjectId('0123456789abcdef01234567'),
  downgrade,
  expiry: term,
  levels: [{ ...level, threshold: 10 }],
  basis: { metric: 'trips', period: 'lifetime' },
  ...(graceDays > 0 ? { grace: { value: graceDays, unit: 'day' } } : {}),
});

/** How a member comes to the level. */
function begun(way: (typeof ways)[number], input: LadderInput): Ladder {
  const empty = emptyLadder(input);
  if (way === 'set') return setLevel(empty, level, input);
  if (way === 'kept') {
    const keep = { metric: 'spend', atLeast: 5, counted: 5, from: '2020-01-01' };
    return keepLevels(grantLevel(empty, { level, expiresOn: new Date(input.now.getTime() + 1), keep }, input), input);
  }
  const climbed = climb(empty, 10, input);
  if (way === 'reached') return climbed;
  const other = { ladders: [climbed], changes: [] };
  return mergeTiers({ ladders: [], changes: [] }, [other], [{ ...input.policy, name: 'Status' }]).ladders[0] ?? empty;
}

/** A ladder as it is written and read again. */
function reread(ladder: Ladder, policy: LadderInput['policy']): Ladder {
  const named = { ...policy, name: 'Status', program: new ObjectId() };
  const book = { ladders: [ladder], changes: [] };
  const stored = { tiers: shownTiers(book, [named], []), ladders: [storedLadder(ladder)] };
  return openTiers(stored).ladders[0] ?? ladder;
}

const topEnd = ({ steps }: Ladder) => steps.at(-1)?.expiresOn?.getTime();

/** Tells whether the clocks show a wall time; they leave it out, or show it twice, when they change. */
function isShown(wall: Wall, zone: string): boolean {
  const at = momentOf(wall, zone);
  return at + aheadOf(at, zone) === Date.UTC(wall.year, wall.month, wall.day) + wall.ms;
}

const inputAt = (now: number, { zone }: Case, policy: LadderInput['policy']): LadderInput => ({
  policy,
  timezone: zone,
  now: new Date(now),
});

describe.each(seedsOf(31_031))('terms that follow one another (seed %i)', (seed) => {
  it('end on the day and at the time of the first one, or on the last day of a month that has no such day', () => {
    fc.assert(
      fc.property(cases, (drawn) => {
        const { start, term, zone, way, comes, lateMs } = drawn;
        fc.pre(isShown(start, zone));
        const policy = policyOf(drawn);
        let ladder = begun(way, inputAt(momentOf(start, zone), drawn, policy));
        const ends = [topEnd(ladder)];
        const wanted = [nthEnd(start, 1, term, zone)];
        // What was due more than 400 days ago counts as due then, so the timer may miss short terms only.
        const isShort = term.unit !== 'year' && term.value <= (term.unit === 'month' ? 4 : 17);
        let n = 1;
        for (const missed of comes) {
          n += isShort ? missed : 1;
          const now = nthEnd(start, n - 1, term, zone) + lateMs;
          ladder = lapseInTime(reread(ladder, policy), () => 10, inputAt(now, drawn, policy)).at(-1) ?? ladder;
          ends.push(topEnd(ladder));
          wanted.push(nthEnd(start, n, term, zone));
        }
        expect(ends).toEqual(wanted);
      }),
      { numRuns: scaled(600, seed), seed },
    );
  });

  it('find the day again that an earlier version had lost', () => {
    fc.assert(
      fc.property(cases, fc.integer({ min: 1, max: 30 }), (other, terms) => {
        // In this zone no change of the clocks moves an end.
        const drawn = { ...other, zone: 'Asia/Kathmandu' };
        const { start, term, zone } = drawn;
        fc.pre((term.unit === 'month' || term.unit === 'year') && !term.snap);
        const policy = policyOf(drawn);
        const since = momentOf(start, zone);
        const ended = momentOf(lostDay(start, terms, term), zone);
        const step = { level, since: new Date(since), isFirm: true, expiresOn: new Date(ended) };
        const stored = { policyId: policy._id, steps: [step], due: step.expiresOn };
        const [next] = lapseInTime(stored, () => 10, inputAt(ended, drawn, policy));
        expect(next && topEnd(next)).toBe(nthEnd(start, terms + 1, term, zone));
      }),
      { numRuns: scaled(300, seed), seed },
    );
  });
});

/** The end of the nth term as earlier versions counted it: each from the end before. */
function lostDay(start: Wall, terms: number, { value, unit }: Term): Wall {
  let { month, day } = start;
  for (let n = 0; n < terms; n += 1) {
    month += value * (unit === 'year' ? 12 : 1);
    day = Math.min(day, lastDayOf(start.year, month));
  }
  return { ...start, month, day };
}

const input = (now: string, expiry: LadderInput['policy']['expiry']): LadderInput => ({
  timezone: 'UTC',
  now: new Date(now),
  policy: {
    _id: new ObjectId(),
    downgrade: 'full' as const,
    levels: [{ ...level, threshold: 10 }],
    basis: { metric: 'trips', period: 'lifetime' as const },
    ...(expiry ? { expiry } : {}),
  },
});

/** The ends of the terms of a level, whose terms change. */
function endsOf(
  from: string,
  expiries: readonly NonNullable<LadderInput['policy']['expiry']>[],
): (string | undefined)[] {
  let ladder = climb(emptyLadder(input(from, expiries[0])), 10, input(from, expiries[0]));
  const ends = [ladder.steps[0]?.expiresOn];
  for (const expiry of expiries.slice(1)) {
    ladder = lapseInTime(ladder, () => 10, input(ends.at(-1)?.toISOString() ?? '', expiry)).at(-1) ?? ladder;
    ends.push(ladder.steps[0]?.expiresOn);
  }
  return ends.map((end) => end?.toISOString().slice(0, 16));
}

describe('terms of a policy that changes', () => {
  const month = { value: 1, unit: 'month' } as const;
  const year = { value: 1, unit: 'year' } as const;
  const days = { value: 10, unit: 'day' } as const;

  it('keep the day of the first one while their ends fall on it', () => {
    expect(endsOf('2027-01-31T09:30:00Z', [month, month, year, month])).toEqual([
      '2027-02-28T09:30',
      '2027-03-31T09:30',
      '2028-03-31T09:30',
      '2028-04-30T09:30',
    ]);
    expect(endsOf('2024-02-29T00:00:00Z', [year, year, year, year])).toEqual([
      '2025-02-28T00:00',
      '2026-02-28T00:00',
      '2027-02-28T00:00',
      '2028-02-29T00:00',
    ]);
  });

  it('count from an end that is on another day', () => {
    expect(endsOf('2027-01-31T09:30:00Z', [month, days, month, month])).toEqual([
      '2027-02-28T09:30',
      '2027-03-10T09:30',
      '2027-04-10T09:30',
      '2027-05-10T09:30',
    ]);
  });
});

describe('terms whose end falls on a day that the clocks leave out', () => {
  // Samoa had no 30 December 2011: what would end then ends at the same time on the 31st.
  it.each([
    ['2011-11-30T10:30', { value: 1, unit: 'month' }, ['2011-12-31T10:30', '2012-01-30T10:30', '2012-02-29T10:30']],
    ['2009-12-30T10:30', { value: 2, unit: 'year' }, ['2011-12-31T10:30', '2013-12-30T10:30']],
    ['2011-12-20T10:30', { value: 10, unit: 'day' }, ['2011-12-31T10:30', '2012-01-09T10:30', '2012-01-19T10:30']],
    ['2011-12-16T10:30', { value: 1, unit: 'week' }, ['2011-12-23T10:30', '2011-12-31T10:30', '2012-01-06T10:30']],
    [
      '2011-11-30T10:30',
      { value: 1, unit: 'month', snap: 'endOfDay' },
      ['2012-01-01T00:00', '2012-01-31T00:00', '2012-03-01T00:00'],
    ],
  ] as const)('keep the day of the first one, from %s by %j', (from, expiry, ends) => {
    const zone = 'Pacific/Apia';
    const wallOf = (at: Date) => new Date(at.getTime() + aheadOf(at.getTime(), zone)).toISOString().slice(0, 16);
    const inputIn = (now: Date): LadderInput => ({ ...input('', expiry), timezone: zone, now });
    const shown = Date.parse(`${from}Z`);
    let ladder = climb(emptyLadder(input('', expiry)), 10, inputIn(new Date(shown - aheadOf(shown, zone))));
    const found = [];
    for (const _end of ends) {
      const end = ladder.steps[0]?.expiresOn ?? new Date(0);
      found.push(wallOf(end));
      [ladder = ladder] = lapseInTime(ladder, () => 10, inputIn(end));
    }
    expect(found).toEqual(ends);
  });
});
