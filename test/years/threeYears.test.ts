import { report } from '../faults/storm/report';
import { numbers } from '../support/numbers';
import { isLong, runSeed } from '../support/scale';
import type { OracleAccount } from './oracle/account';
import { later } from './oracle/calendar';
import { dueMoments } from './oracle/member';
import { act } from './world/acts';
import { compareAggregates, compareLedger, newComparison } from './world/compare';
import { compareAccounts } from './world/compareAccounts';
import { compareJournal } from './world/compareJournal';
import { compareStatement } from './world/compareStatement';
import { drawEra, oneOf, type Random } from './world/draw';
import { type MovedFleet, startMovedFleet } from './world/fleet';
import { makePrograms, type WorldProgram } from './world/program';
import { story } from './world/story';

/**
 * Three simulated years in four time zones: two API processes and a worker have the same clock, which jumps. What they show
 * is compared with an oracle that was written from docs/design alone. Each run draws another world, and the full form
 * several with more acts. TEST_SEED repeats worlds: a seed, or several with commas; YEARS_JUMPS says how often time jumps.
 */
const isFull = isLong || process.env.FAULTS === 'full';
const { TEST_SEED, YEARS_JUMPS } = process.env;
const worlds = isFull ? 3 : 1;
const seeds = TEST_SEED?.split(',').map(Number) ?? Array.from({ length: worlds }, (_unused, n) => runSeed() + n);
const jumps = Number(YEARS_JUMPS ?? (isFull ? 60 : 30));
const membersOfEach = 3;
const yearsMs = 3 * 365.25 * 86_400_000;

let fleet: MovedFleet;
afterEach(() => fleet?.close());

/** Neighbouring seeds give worlds that have nothing in common. */
function mixed(seed: number): number {
  const half = Math.imul(seed ^ (seed >>> 16), 0x85ebca6b);
  const rest = Math.imul(half ^ (half >>> 13), 0xc2b2ae35);
  return (rest ^ (rest >>> 16)) >>> 0;
}

/** How far the next jump goes: hours to weeks, often to the very moment at which something is due, or 1 ms before. */
function drawJump(now: number, programs: readonly WorldProgram[], averageMs: number, random: Random): number {
  const kind = random(4);
  if (kind === 0) {
    const due = programs.flatMap(({ members }) => members.flatMap((member) => dueMoments(member, now)));
    const soon = due.filter((at) => at < now + 3 * averageMs);
    if (soon.length > 0) return Math.max(now, oneOf(soon, random) - random(2));
  }
  if (kind === 1) return later(now, 1 + random(3), oneOf(['hour', 'day'], random), oneOf(programs, random).zone);
  return now + 1 + random(2 * averageMs);
}

test.each(seeds)(
  'three years of every act agree with the contract (seed %i)',
  async (seed) => {
    const random = numbers(mixed(seed));
    const { start, zones } = drawEra(random);
    fleet = await startMovedFleet(start);
    const programs = await makePrograms(fleet, zones, { members: membersOfEach, now: start }, random);
    const accounts: OracleAccount[] = [];
    const compare = newComparison();
    const end = start + yearsMs;
    let now = start;
    for (let left = jumps; left > 0 && compare.differences.length === 0; left -= 1) {
      now = left === 1 ? end : Math.min(end, drawJump(now, programs, (end - now) / left, random));
      fleet.moveTo(now);
      if (random(3) === 0) await fleet.admin.post('/jobs/daychange/run');
      for (const program of programs) {
        const scene = { fleet, program, programs, accounts, random, now, compare };
        for (let n = random(5); n > 0; n -= 1) await act(scene);
        for (const member of program.members) await compareLedger(scene, member);
      }
      await compareAccounts({ fleet, compare, programs, accounts });
    }
    await fleet.admin.post('/jobs/aggregates/run');
    for (const program of programs) {
      const compared = { fleet, program, compare, now };
      for (const member of program.members) {
        await compareAggregates(compared, member);
        await compareJournal(compared, member);
        await compareStatement(compared, member);
      }
    }
    report(`Three years from ${new Date(start).toISOString()} in ${zones.join(', ')}: ${compare.count} comparisons`);
    if (compare.differences.length > 0) report(await story(fleet, programs, compare));
    expect(compare.differences.slice(0, 20)).toEqual([]);
    expect(compare.count).toBeGreaterThan(jumps * 50);
  },
  3_600_000,
);
