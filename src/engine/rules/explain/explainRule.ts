import { datesInWords } from '#base/calendar/datesInWords';
import type { Limit } from '../format/limitShape';
import { isNeverAbsent } from '../format/limits';
import type { RuleDefinition, RuleTest } from '../format/rule';
import { scheduleText, timedOccasionTypes } from '../format/schedule';
import { typesOfTest } from '../format/testSteps';
import { plural } from '../words/amountText';
import { valueText } from '../words/valueText';
import { actionPhrase } from './actionPhrase';
import { conditionLines } from './explainCondition';
import { hoursPhrase, limitPhrase } from './limitPhrase';

/**
 * A whole rule as lines of text: its members and dates, conditions, actions, limits and tests.
 * @param timezone of the program, for dates
 */
export function explainRule(rule: RuleDefinition, timezone = 'UTC'): string[] {
  return explanationLines(rule).map((line) => datesInWords(line, timezone));
}

function explanationLines(rule: RuleDefinition): string[] {
  return [
    `${rule.key}: ${rule.name}`,
    `  in ${rule.file}${rowText(rule)}, program ${rule.programCode}, ${rule.status}, priority ${rule.priority}`,
    ...(rule.description === undefined ? [] : [`  ${rule.description}`]),
    ...section(rule.perLine ? 'For each line item of' : 'For', [
      rule.activityTypes.join(', '),
      ...scheduleLines(rule),
      ...audienceLines(rule),
    ]),
    'When',
    ...conditionLines(rule.conditions, '  '),
    ...section('Then', rule.actions.map(actionPhrase)),
    ...section('Within', [...(rule.limits ?? []).map(limitText), ...budgetLines(rule)]),
    ...section('When a part is returned', rule.onReturn ? [returns[rule.onReturn]] : []),
    ...section('Order', orderLines(rule)),
    ...section('Tests', (rule.tests ?? []).map(testText)),
  ];
}

/** When the calendar brings its occasions. */
function scheduleLines(rule: RuleDefinition): string[] {
  return timedOccasionTypes(rule).length === 0 ? [] : [`${scheduleText(rule)}, by the program's clock`];
}

function rowText({ row }: RuleDefinition): string {
  return row ? ` (row ${row.file}:${row.line} of the table ${row.table})` : '';
}

/** The lines of a part of a rule under its title; none without entries. */
export function section(title: string, entries: readonly string[]): string[] {
  return entries.length === 0 ? [] : [title, ...entries.map((entry) => `  - ${entry}`)];
}

function audienceLines({ effective, hours, segments, tiers }: RuleDefinition): string[] {
  return [
    ...(effective?.from ? [`from ${valueText(effective.from)}`] : []),
    ...(effective?.to ? [`until ${valueText(effective.to)}`] : []),
    ...(hours
      ? [hours.clock === 'location' ? hoursPhrase(hours) : `${hoursPhrase(hours)}, by the program's clock`]
      : []),
    ...(segments ? [`members in one of the segments ${valueText(segments)}`] : []),
    ...(tiers ? [`members with one of the levels ${valueText(tiers)}`] : []),
  ];
}

const consequences: Record<Limit['onExceed'], string> = {
  reduce: 'beyond it, it gives what is left',
  reject: 'beyond it, the activity is rejected',
  skip: 'beyond it, the rule does not fire',
};

function limitText(limit: Limit): string {
  const unless = isNeverAbsent(limit) ? '' : `; without a ${limit.per} there is no limit`;
  return `${limitPhrase(limit)}: ${consequences[limit.onExceed]}${unless}`;
}

const returns = {
  reevaluate: 'the activity is decided again without that part, and points that it would not have given are returned',
  proportional: 'its points are returned in proportion to the value of that part',
  keep: 'its points stay until the whole activity is returned',
};

function budgetLines({ budget }: RuleDefinition): string[] {
  return budget ? [`a budget of ${plural(budget.points, 'point')} in all: ${consequences.reduce}`] : [];
}

const picks = {
  all: 'all of them fire',
  first: 'the first fires',
  highest: 'the one with the most points fires',
  lowest: 'the one with the fewest points fires',
};

function orderLines({ group, pick = 'all', stop }: RuleDefinition): string[] {
  return [
    ...(group === undefined ? [] : [`of the rules of the group ${valueText(group)}, ${picks[pick]}`]),
    ...(stop ? ['when it fires, no rule after it does'] : []),
  ];
}

function testText(test: RuleTest): string {
  const { name, expect } = test;
  const { points = {}, fired = [], notFired = [], data, error } = expect;
  const phrases = [
    ...Object.entries(points).map(([purse, change]) => `${change} in ${valueText(purse)}`),
    ...(fired.length > 0 ? [`fired: ${fired.join(', ')}`] : []),
    ...(notFired.length > 0 ? [`not fired: ${notFired.join(', ')}`] : []),
    ...(data === undefined ? [] : [`data ${valueText(data)}`]),
    ...(error === undefined ? [] : [`error ${error}`]),
  ];
  return `${name} (${typesOfTest(test).join(', ')}): ${phrases.join('; ')}`;
}
