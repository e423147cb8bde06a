import { datesInWords } from '#base/calendar/datesInWords';
import { termWords } from '#base/calendar/termWords';
import { germanNumber } from '#base/words/germanNumber';
import { onOneLine } from '../explain/conditionTree';
import { section } from '../explain/explainRule';
import type { RuleDefinition, RuleTest } from '../format/rule';
import { scheduledDayPattern, scheduledDaysBefore, timedOccasionTypes } from '../format/schedule';
import { typesOfTest } from '../format/testSteps';
import { germanTypes } from '../words/german/germanNames';
import { germanPoints, germanValue } from '../words/german/germanValue';
import { germanAction } from './germanAction';
import { germanConditionLines } from './germanCondition';
import { germanConsequences, germanExemption, germanHours, germanLimit } from './germanLimit';

/** What a rule does, in German: `Einkauf, wenn gilt: Wert der Aktivität ist größer als 0. Dann: 10 Punkte …`. */
export function germanRuleSentence(rule: RuleDefinition, timezone = 'UTC'): string {
  const { activityTypes, perLine, conditions, actions } = rule;
  const lines = germanConditionLines(conditions).map((line) => line.trim().replace(/^- /, ''));
  const types = `${germanTypes(activityTypes)}${perLine ? ', für jede Position' : ''}`;
  const then = actions.map(germanAction).join('; ');
  if (lines.length === 1 && lines[0] === 'immer') return datesInWords(`${types}, immer: ${then}.`, timezone, 'de');
  const when = lines.length === 1 ? `wenn gilt: ${lines[0] ?? ''}` : `wenn ${onOneLine(lines)}`;
  return datesInWords(`${types}, ${when}. Dann: ${then}.`, timezone, 'de');
}

/** A whole rule as lines of German text: its members and dates, conditions, actions, limits and tests. */
export function germanRule(rule: RuleDefinition, timezone = 'UTC'): string[] {
  return germanLines(rule).map((line) => datesInWords(line, timezone, 'de'));
}

function germanLines(rule: RuleDefinition): string[] {
  const row = rule.row ? ` (Zeile ${rule.row.file}:${rule.row.line} der Tabelle ${rule.row.table})` : '';
  return [
    `${rule.key}: ${rule.name}`,
    `  in ${rule.file}${row}, Programm ${rule.programCode}, ${rule.status}, Priorität ${rule.priority}`,
    ...(rule.description === undefined ? [] : [`  ${rule.description}`]),
    ...section(rule.perLine ? 'Für jede Position von' : 'Für', [
      germanTypes(rule.activityTypes),
      ...germanSchedule(rule),
      ...germanAudience(rule),
    ]),
    'Wenn',
    ...germanConditionLines(rule.conditions, '  '),
    ...section('Dann', rule.actions.map(germanAction)),
    ...section('Höchstens', [
      ...(rule.limits ?? []).map(
        (limit) => `${germanLimit(limit)}: ${germanConsequences[limit.onExceed]}${germanExemption(limit)}`,
      ),
      ...(rule.budget ? [`${germanPoints(rule.budget.points)} insgesamt: ${germanConsequences.reduce}`] : []),
    ]),
    ...section('Wenn ein Teil zurückkommt', rule.onReturn ? [returns[rule.onReturn]] : []),
    ...section('Reihenfolge', germanOrder(rule)),
    ...section('Tests', (rule.tests ?? []).map(testText)),
  ];
}

function germanSchedule(rule: RuleDefinition): string[] {
  if (timedOccasionTypes(rule).length === 0) return [];
  const { every, segment } = rule.schedule ?? {};
  const { on, at } = scheduledDayPattern(rule);
  const days = scheduledDaysBefore(rule);
  const before = days === 0 ? 'am Tag selbst' : `${termWords(days, 'day', 'de')} vorher`;
  const day = every === undefined ? before : `${turns[every]}${on === undefined ? '' : ` (${on})`}`;
  const whom = segment === undefined ? '' : `, Segment ${segment}`;
  return [`${day} um ${at}${whom}, nach der Uhr des Programms`];
}

const turns = { day: 'jeden Tag', week: 'jede Woche', month: 'jeden Monat', year: 'jedes Jahr' } as const;

function germanAudience({ effective, hours, segments, tiers }: RuleDefinition): string[] {
  const clock = hours?.clock === 'location' ? '' : ', nach der Uhr des Programms';
  return [
    ...(effective?.from ? [`ab ${germanValue(effective.from)}`] : []),
    ...(effective?.to ? [`bis ${germanValue(effective.to)}`] : []),
    ...(hours ? [`${germanHours(hours)}${clock}`] : []),
    ...(segments ? [`Mitglieder in einem der Segmente ${germanValue(segments)}`] : []),
    ...(tiers ? [`Mitglieder mit einer der Stufen ${germanValue(tiers)}`] : []),
  ];
}

const returns = {
  reevaluate: 'die Aktivität wird ohne diesen Teil neu entschieden; Punkte, die es dann nicht gäbe, gehen zurück',
  proportional: 'die Punkte gehen im Verhältnis zum Wert dieses Teils zurück',
  keep: 'die Punkte bleiben, bis die ganze Aktivität zurückkommt',
};

const picks = {
  all: 'greifen alle',
  first: 'greift die erste',
  highest: 'greift die mit den meisten Punkten',
  lowest: 'greift die mit den wenigsten Punkten',
};

function germanOrder({ group, pick = 'all', stop }: RuleDefinition): string[] {
  return [
    ...(group === undefined ? [] : [`von den Regeln der Gruppe ${germanValue(group)} ${picks[pick]}`]),
    ...(stop ? ['wenn sie greift, greift danach keine Regel mehr'] : []),
  ];
}

function testText(test: RuleTest): string {
  const { name, expect } = test;
  const { points = {}, fired = [], notFired = [], data, error } = expect;
  const phrases = [
    ...Object.entries(points).map(
      ([purse, change]) => `${typeof change === 'number' ? germanNumber(change) : change} in ${germanValue(purse)}`,
    ),
    ...(fired.length > 0 ? [`greifen: ${fired.join(', ')}`] : []),
    ...(notFired.length > 0 ? [`greifen nicht: ${notFired.join(', ')}`] : []),
    ...(data === undefined ? [] : [`Daten ${germanValue(data)}`]),
    ...(error === undefined ? [] : [`Fehler ${error}`]),
  ];
  return `${name} (${germanTypes(typesOfTest(test))}): ${phrases.join('; ')}`;
}
