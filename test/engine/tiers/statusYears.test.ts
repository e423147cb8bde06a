import fc from 'fast-check';
import { DateTime } from 'luxon';
import { endsAlike } from '#engine/tiers/tierTerms';
import { scaled, seedsOf } from '../../support/scale';
import { type Posted, Replay } from './replay';
import { type Arrival, TieredMember } from './tieredMember';

const start = { year: 2026, month: 11, day: 20 };

const cases = fc
  .record({
    period: fc.constantFrom('month' as const, 'year' as const),
    value: fc.integer({ min: 0, max: 2 }),
    downgrade: fc.constantFrom('none' as const, 'one' as const, 'full' as const),
    graceDays: fc.constantFrom(0, 1, 20, 45),
    zone: fc.constantFrom('America/New_York', 'UTC', 'Pacific/Auckland'),
  })
  .chain((terms) => {
    // A grace as long as a period can hide the grace of a lower level, see decision 68.
    const graceDays = terms.period === 'month' ? Math.min(terms.graceDays, 27) : terms.graceDays;
    const longest = terms.period === 'year' ? 1500 : 560;
    const arrival = fc.record({
      day: fc.oneof(fc.nat(longest), fc.constantFrom(41, 42, 406, 407, 466)),
      ms: fc.constantFrom(0, 1, 43_200_000, -1),
      late: fc.oneof(fc.constant(0), fc.nat(400), fc.nat(Math.min(longest, 1050))),
      value: fc.oneof(fc.integer({ min: 1, max: 400 }), fc.constantFrom(100, 200, 299, 300, 1000)),
      returns: fc.array(
        fc.record({
          after: fc.oneof(fc.constant(0), fc.nat(40), fc.nat(600)),
          share: fc.constantFrom(1, 1, 0.5, 0.01),
        }),
        { maxLength: 2 },
      ),
    });
    return fc.record({
      terms: fc.constant({ ...terms, graceDays }),
      arrivals: fc.array(arrival, { maxLength: 14 }),
      days: fc.integer({ min: 30, max: longest }),
    });
  });

/** The date of an arrival; -1 is the last millisecond of the day. */
function dateOf(first: DateTime, { day, ms }: { day: number; ms: number }): Date {
  const midnight = first.plus({ days: day });
  return (ms < 0 ? midnight.plus({ days: 1 }).minus(1) : midnight.plus(ms)).toJSDate();
}

interface Drawn {
  day: number;
  ms: number;
  late: number;
  value: number;
  returns: { after: number; share: number }[];
}

/**
 * An activity as it comes, its returns, and what stands of it in the end. The shares of the returns are of what is left
 * then. Half of what is posted late comes in the morning, half in the evening.
 */
function arrivalsOf(first: DateTime, last: number, drawn: Drawn): { sent: Arrival[]; standing: Posted } {
  const { day, late, value, returns } = drawn;
  const date = dateOf(first, drawn);
  const on = Math.min(last, day + late);
  const hour = (days: number) =>
    first
      .plus({ days })
      .plus({ hours: value % 2 === 0 ? 13 : 20 })
      .toJSDate();
  const at = on === day ? date : hour(on);
  const sent: Arrival[] = [{ date, value, at }];
  let left = value;
  let time = at;
  for (const { after, share } of returns) {
    const returned = Math.ceil(left * share);
    const come = hour(on + after);
    if (returned === 0 || on + after > last) break;
    time = new Date(Math.max(come.getTime(), time.getTime()));
    left -= returned;
    sent.push({ date, value: -returned, at: time });
  }
  return { sent, standing: { date, value: left } };
}

it.each(seedsOf(1))(
  'activities, cancels and returns in any order give the levels of a replay day by day (seed %d)',
  (seed) => {
    fc.assert(
      fc.property(cases, ({ terms, arrivals, days }) => {
        const first = DateTime.fromObject(start, { zone: terms.zone });
        const come = arrivals.filter(({ day }) => day <= days).map((each) => arrivalsOf(first, days, each));
        const sent = come.flatMap((each) => each.sent).sort((a, b) => a.at.getTime() - b.at.getTime());
        const member = new TieredMember(terms);
        for (let day = 0; day <= days; day += 1) {
          const midnight = first.plus({ days: day });
          member.timer(midnight.toJSDate());
          const end = midnight.plus({ days: 1 }).toJSDate();
          while (sent[0] && sent[0].at < end) member.post(sent.shift() as Arrival);
        }
        const last = first.plus({ days });
        member.timer(last.plus({ days: 1 }).toJSDate());
        const standing = come.map((each) => each.standing);
        expect(member.level()).toBe(new Replay(terms, standing).run(first, last));
      }),
      { numRuns: scaled(40, seed), seed },
    );
  },
);

it.each([
  ['year', { value: 1, unit: 'year', snap: 'endOfYear' }, true],
  ['year', { value: 0, unit: 'day', snap: 'endOfYear' }, true],
  ['month', { value: 2, unit: 'month', snap: 'endOfMonth' }, true],
  ['month', { value: 1, unit: 'year', snap: 'endOfQuarter' }, true],
  ['year', { value: 6, unit: 'month', snap: 'endOfYear' }, false],
  ['month', { value: 30, unit: 'day', snap: 'endOfMonth' }, false],
  ['year', { value: 1, unit: 'year', snap: 'endOfMonth' }, false],
  ['year', { value: 1, unit: 'year', snap: 'endOfMemberYear' }, false],
  ['year', { value: 1, unit: 'year' }, false],
  ['lifetime', { value: 1, unit: 'year' }, true],
] as const)('all days of a %s end alike with %j: %s', (period, expiry, alike) => {
  expect(endsAlike({ basis: { metric: 'miles', period }, expiry })).toBe(alike);
});
