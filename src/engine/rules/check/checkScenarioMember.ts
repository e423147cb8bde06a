import { type Message, message, pickMessage } from '#base/common/messages/message';
import { isPlainObject } from '#base/common/plainObject';
import { countedMetrics } from '#records/aggregates/metricNames';
import { birthDateFaults } from '#records/members/birthDate';
import type { RuleTest } from '../format/rule';
import { scenarioMemberShape } from '../scenario/scenarioMember';
import { testDate } from '../scenario/testDate';
import { makeShapeCheck } from '../source/checkShape';
import type { JsonPath, RuleSource } from '../source/ruleSource';
import { checkMemberNames } from './checkTestMember';
import type { ProgramScope } from './programScope';

const checkShape = makeShapeCheck(scenarioMemberShape);

/** Why a scenario must not set facts of the member that the service computes. */
const computed: Readonly<Record<string, Message>> = {
  tierNumber: message('ruleTests.tierNumber'),
  tierUntil: message('ruleTests.tierUntil'),
  tierMissing: message('ruleTests.tierMissing'),
};

/** Checks the member of a test with steps, which is stored as any other, and what it counted before. */
export function checkScenarioMember(
  source: RuleSource,
  at: JsonPath,
  test: RuleTest,
  { start, scope }: { start: Date; scope: ProgramScope },
): void {
  const { member } = test;
  if (member) checkMember(source, [...at, 'member'], member, { start, scope });
  for (const [metric, sums] of Object.entries(test.aggregates ?? {})) {
    checkSums(source, [...at, 'aggregates', metric], { metric, sums, start, scope });
  }
}

interface ScenarioScope {
  /** When the scenario begins. */
  start: Date;
  scope: ProgramScope;
}

function checkMember(
  source: RuleSource,
  at: JsonPath,
  member: Record<string, unknown>,
  { start, scope }: ScenarioScope,
): void {
  for (const [name, why] of Object.entries(computed)) {
    if (name in member) source.keyError([...at, name], message('ruleTests.withSteps', { why }));
  }
  const known = Object.fromEntries(Object.entries(member).filter(([name]) => !(name in computed)));
  if (!checkShape(source, at, known)) return;
  checkMemberNames(source, at, known, scope);
  const birthDate = typeof member.birthDate === 'string' ? member.birthDate : undefined;
  for (const fault of birthDateFaults({ birthDate }, start)) {
    const params = { fault: pickMessage(fault), start: start.toISOString() };
    source.error([...at, 'birthDate'], message('ruleTests.birthDate', params));
  }
  const { timezone } = scope.program;
  for (const { path, name, date } of pastDates(member, timezone)) {
    if (!date || date <= start) continue;
    source.error([...at, ...path], message('ruleTests.afterBegin', { name: name ?? '', start: start.toISOString() }));
  }
  checkSince(source, at, { name: 'tierSince', since: member.tierSince, has: Object.keys(Object(member.tier)) });
  const segments = Array.isArray(member.segments) ? member.segments.map(String) : [];
  checkSince(source, at, { name: 'segmentSince', since: member.segmentSince, has: segments });
}

/** Dates of what happened before the scenario. */
function pastDates(member: Record<string, unknown>, timezone: string) {
  const own = [{ path: ['lastVisit'], value: member.lastVisit }];
  const named = ['tierSince', 'segmentSince'].flatMap((field) => {
    const dates = member[field];
    return isPlainObject(dates) ? Object.entries(dates).map(([name, value]) => ({ path: [field, name], value })) : [];
  });
  return [...own, ...named].map(({ path, value }) => ({ path, name: path.at(-1), date: testDate(value, timezone) }));
}

/** A date since when needs what the member has since then. */
function checkSince(
  source: RuleSource,
  at: JsonPath,
  { name, since, has }: { name: 'tierSince' | 'segmentSince'; since: unknown; has: readonly string[] },
): void {
  const field = name === 'tierSince' ? 'tier' : 'segments';
  for (const each of Object.keys(Object(since))) {
    if (!has.includes(each)) source.keyError([...at, name, each], message('ruleTests.memberHasNo', { each, field }));
  }
}

/** What the member counted before is stored as whole numbers. What the service counts itself is never below 0. */
function checkSums(
  source: RuleSource,
  at: JsonPath,
  { metric, sums, start, scope }: ScenarioScope & { metric: string; sums: NonNullable<RuleTest['aggregates']>[string] },
): void {
  const isCount = countedMetrics(scope.purses).includes(metric);
  const { days = {}, ...periods } = sums;
  const values = [
    ...Object.entries(periods).map(([name, value]) => ({ path: [name], name, value })),
    ...Object.entries(days).map(([name, value]) => ({ path: ['days', name], name, value })),
  ];
  for (const { path, name, value } of values) {
    if (Number.isInteger(value) && (!isCount || value >= 0)) continue;
    const id = isCount ? 'ruleTests.countOfSteps' : 'ruleTests.metricOfSteps';
    source.error([...at, ...path], message(id, { name, metric, value }));
  }
  for (const day of Object.keys(days)) {
    const date = testDate(day, scope.program.timezone);
    if (!date || date <= start) continue;
    source.keyError([...at, 'days', day], message('ruleTests.afterBegin', { name: day, start: start.toISOString() }));
  }
}
