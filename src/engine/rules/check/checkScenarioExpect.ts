import { message } from '#base/common/messages/message';
import { isPlainObject } from '#base/common/plainObject';
import type { ScenarioStep } from '../format/scenarioShape';
import { didYouMean } from '../source/nearest';
import type { JsonPath, RuleSource } from '../source/ruleSource';
import { checkNames } from './checkNames';
import type { ProgramScope } from './programScope';

/** Checks the names in what a step expects. */
export function checkScenarioExpect(
  source: RuleSource,
  at: JsonPath,
  { expect = {}, cancel }: ScenarioStep,
  scope: ProgramScope,
): void {
  for (const name of ['balance', 'available', 'pool'] as const) {
    checkNames(source, [...at, name], 'purse', Object.keys(expect[name] ?? {}), scope.purses, true);
  }
  if (expect.returned && !cancel) source.keyError([...at, 'returned'], message('ruleTests.returnedOfCancel'));
  const { offers = [], rewards = [] } = scope.program.records ?? {};
  const namesOf = (records: readonly { code: string; name: string }[]) =>
    records.flatMap(({ code, name }) => [code, name]);
  const codes = { offers: namesOf([...offers, ...rewards]), rewards: namesOf(rewards), money: namesOf(rewards) };
  for (const name of ['offers', 'rewards', 'money'] as const) {
    const what = name === 'offers' ? 'offer or reward' : 'reward';
    checkNames(source, [...at, name], what, Object.keys(expect[name] ?? {}), codes[name], true);
  }
  checkLevels(source, [...at, 'levels'], expect.levels, scope);
}

function checkLevels(source: RuleSource, at: JsonPath, expected: unknown, { program: { tiers } }: ProgramScope): void {
  const wanted = isPlainObject(expected) ? expected : {};
  const policies = tiers.map(({ name }) => name);
  checkNames(source, at, 'tier policy', Object.keys(wanted), policies, true);
  for (const { name, levels } of tiers) {
    const level = wanted[name];
    const known = levels.map((each) => each.name);
    if (typeof level !== 'string' || known.includes(level)) continue;
    source.error([...at, name], didYouMean(message('ruleTests.unknownLevel', { level }), level, known));
  }
}
