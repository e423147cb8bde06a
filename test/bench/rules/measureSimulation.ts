import { ObjectId } from 'bson';
import { notEnriched } from '#engine/rules/format/enriched';
import type { FactRead } from '#engine/rules/language/decision';
import { resolvePath } from '#engine/rules/language/path';
import { type ProcessedActivity, plainOutcome } from '#engine/rules/simulate/processedActivity';
import { Simulation } from '#engine/rules/simulate/simulation';
import type { Activity } from '#records/activities/activity';
import { loyaltyFacts } from './loyaltyFacts';
import { loyaltyRules } from './loyaltyRules';

const ruleCount = 500;
const memberPaths = ['$.segments', '$.tier.Main', '$.purse.Points.availBalance', '$.ext.averageSpend'];

/** Measures how many past activities per second are simulated against 500 rules, without reading them from MongoDB. */
export async function measureSimulation(forMs: number): Promise<string> {
  const rules = loyaltyRules(ruleCount);
  const [rule] = rules;
  if (!rule) throw new Error('there are rules');
  const past = Array.from({ length: 512 }, (_unused, n) => pastOf(n, rule.programId));
  const simulation = new Simulation({ inForce: rules, changed: rules, purses: [] });
  const add = (n: number) => simulation.add(past[n % past.length] ?? pastOf(n, rule.programId));
  for (let n = 0; n < past.length; n += 1) await add(n);
  const [startedAt, cpu] = [performance.now(), process.cpuUsage()];
  let done = 0;
  for (; performance.now() - startedAt < forMs; done += 1) await add(done);
  const perSecond = (done * 1000) / (performance.now() - startedAt);
  const { user, system } = process.cpuUsage(cpu);
  const perCpuSecond = Math.round((done * 1_000_000) / (user + system));
  const { notEvaluated, points } = simulation.result();
  if (notEvaluated > 0 || points.after === 0) throw new Error('activities must be evaluated, and rules fire');
  return `${Math.round(perSecond)} past activities a second are simulated against ${ruleCount} rules (${perCpuSecond} for each second of CPU)`;
}

function pastOf(n: number, programId: ObjectId): ProcessedActivity {
  const { activity, member, isBirthday } = loyaltyFacts(n);
  const facts: FactRead[] = [
    { fact: 'isBirthday', priority: 1, value: isBirthday },
    ...memberPaths.map((path) => ({ fact: 'member', path, priority: 1, value: resolvePath(member, path) })),
  ];
  return {
    activity: activity as Activity,
    memberId: new ObjectId(n.toString(16).padStart(24, '0')),
    program: { _id: programId, code: 'bench', timezone: 'UTC' },
    now: new Date('2026-11-21T12:00:00.000Z'),
    enriched: notEnriched,
    facts,
    awards: [],
    usage: [],
    outcome: plainOutcome,
  };
}
