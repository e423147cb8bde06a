import { readAwardFilter } from '../language/awardFilter';
import { readClock } from '../language/clock';
import { daysSinceOccasion } from '../language/daysSinceParams';
import { readAggregateParams, readCrossedParams } from '../language/factParams';
import { isFactRef } from '../language/factRef';
import type { MetricPeriod } from '../language/metricPeriod';
import { type PathStep, parsePath } from '../language/path';
import { readTableParams } from '../language/tableParams';
import { valueText } from './valueText';

/** A reference to a fact, as in conditions, amounts and rule matches. */
export interface ShownRef {
  fact: string;
  path?: string | undefined;
  params?: Readonly<Record<string, unknown>> | undefined;
}

/** A fact, or the part of it that a path selects, in words: `the activity's value`. */
export function factPhrase({ fact, path, params }: ShownRef): string {
  if (fact === 'table') return tablePhrase(path, params);
  const owner = wholeFactPhrase(fact, params);
  const steps = path === undefined ? [] : parsePath(path);
  const [first, second] = steps;
  if (first === undefined || first.all) return pathPhrase(owner, steps);
  const isNamed = second !== undefined && !second.all;
  const named = isNamed && fact === 'member' ? memberPhrases.get(first.name) : undefined;
  if (isNamed && named) return pathPhrase(named(second.name), steps.slice(2));
  if (isNamed && first.name === 'ext') return pathPhrase(`${owner}'s ext.${second.name}`, steps.slice(2));
  return pathPhrase(`${owner}'s ${splitCamelCase(first.name)}`, steps.slice(1));
}

/** A camel-case name in words: `itemSKU` is `item SKU`. */
export function splitCamelCase(name: string): string {
  const parts = name.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2').split(' ');
  return parts.map((part) => shortWords.get(part) ?? (/^[A-Z]{2}/.test(part) ? part : part.toLowerCase())).join(' ');
}

/** The sentences for boolean facts: the first for true, the second for false. */
export const statements: ReadonlyMap<string, readonly [string, string]> = new Map([
  ['isBirthday', ["it is the member's birthday", "it is not the member's birthday"]],
  ['isFirstActivity', ["it is the member's first accrual", "it is not the member's first accrual"]],
]);

const shortWords: ReadonlyMap<string, string> = new Map([
  ['src', 'source'],
  ['utc', 'UTC'],
  ['Txn', 'transaction'],
]);

const phrases: ReadonlyMap<string, string> = new Map([
  ['now', 'the time of processing'],
  ['dayOfWeek', 'the day of the week'],
  ['hour', 'the hour of the day'],
  ['birthMonth', "the month of the member's birth"],
  ['isBirthday', "the member's birthday being on the activity's date"],
  ['isFirstActivity', "the activity being the member's first accrual"],
  ['eligibleAmount', 'the amount of the line items that match the filter'],
  ['eligibleQuantity', 'the quantity of the line items that match the filter'],
]);

/** The parts of the member whose names a program chooses. */
const memberPhrases: ReadonlyMap<string, (name: string) => string> = new Map([
  ['tier', (name: string) => `the member's level in ${name}`],
  ['tierNumber', (name: string) => `the number of the member's level in ${name}`],
  ['tierUntil', (name: string) => `the date on which the member's level in ${name} ends`],
  ['tierMissing', (name: string) => `what the challenge for the member's level in ${name} still needs`],
  ['tierSince', (name: string) => `the date on which the member reached its level in ${name}`],
  ['segmentSince', (name: string) => `the date on which the member joined the segment ${name}`],
  ['purse', (name: string) => `the member's purse ${name}`],
]);

function wholeFactPhrase(fact: string, params: ShownRef['params']): string {
  if (fact === 'aggregate') return aggregatePhrase(params);
  if (fact === 'crossed') return crossedPhrase(params);
  if (fact === 'daysSince') return daysSincePhrase(params);
  if (fact === 'tender') return tenderPhrase(params);
  if (fact === 'pointsOfActivity' || fact === 'amountOfActivity') return awardedPhrase(fact, params);
  const phrase = phrases.get(fact) ?? `the ${splitCamelCase(fact)}`;
  return readClock(params) === 'location' ? `${phrase} at the location` : phrase;
}

/** A lookup in words: `the factor in the table distances for "ZRH" and the activity's ext.to`. */
function tablePhrase(path: string | undefined, params: ShownRef['params']): string {
  const { name = '', keys = [] } = readTableParams(params) ?? {};
  const of = keys.map((key) => (isFactRef(key) ? factPhrase(key) : valueText(key))).join(' and ');
  const place = `in the table ${name} for ${of}`;
  const [column] = path === undefined ? [] : parsePath(path);
  return column === undefined || column.all ? `the row ${place}` : `the ${column.name} ${place}`;
}

function tenderPhrase(params: ShownRef['params']): string {
  const filter = Object.entries({ ...(params?.filter as object | undefined) });
  const phrases = filter.map(([name, value]) => `${splitCamelCase(name)} ${valueText(value)}`);
  return phrases.length === 0 ? 'the amount paid' : `the amount paid with ${phrases.join(' and ')}`;
}

function awardedPhrase(fact: 'pointsOfActivity' | 'amountOfActivity', params: ShownRef['params']): string {
  const { rule, purse } = readAwardFilter(params);
  if (fact === 'amountOfActivity') return `the amount that earned by rule ${valueText(rule)} in this activity`;
  const by = rule === undefined ? '' : ` by rule ${valueText(rule)}`;
  return `the points given so far in this activity${by}${purse === undefined ? '' : ` in the purse ${valueText(purse)}`}`;
}

function aggregatePhrase(params: ShownRef['params']): string {
  const aggregate = readAggregateParams(params);
  return aggregate ? `the member's ${aggregate.metric} ${periodPhrase(aggregate.period)}` : "the member's aggregate";
}

function crossedPhrase(params: ShownRef['params']): string {
  const crossed = readCrossedParams(params);
  if (!crossed) return 'the number of thresholds that the activity crosses';
  const { of } = crossed;
  const thresholds = typeof of === 'number' ? `multiples of ${of}` : `thresholds (${of.join(', ')})`;
  return `the number of ${thresholds} that the activity carries ${aggregatePhrase(params)} over`;
}

function daysSincePhrase(params: ShownRef['params']): string {
  const of = daysSinceOccasion(params);
  if (of === undefined) return 'the days since';
  if (of === 'lastVisit') return "the days since the member's last visit";
  if (of === 'enrolment' || of === 'birthday') return `the days since the member's ${of}`;
  const since = 'tier' in of ? `reached its level in ${of.tier}` : `joined the segment ${of.segment}`;
  return `the days since the member ${since}`;
}

function pathPhrase(whole: string, steps: readonly PathStep[]): string {
  return steps.reduce((phrase, step, n) => partPhrase(phrase, step, n === steps.length - 1), whole);
}

function partPhrase(whole: string, step: PathStep, isLast: boolean): string {
  if (step.all) return isLast ? `the elements of ${whole}` : whole;
  if (/^\d+$/.test(step.name)) return `element ${Number(step.name) + 1} of ${whole}`;
  return step.name === 'length' ? `the number of ${whole}` : `the ${splitCamelCase(step.name)} of ${whole}`;
}

/** A period in words, after a metric: `of the month`, `of the last 7 days`, `so far` for a lifetime. */
function periodPhrase(period: MetricPeriod): string {
  if (period === 'lifetime') return 'so far';
  if (typeof period === 'string') return `of the ${period === 'halfYear' ? 'half year' : period}`;
  if ('last' in period) {
    const { last, unit } = period;
    return last === 1 ? `of the last ${unit}` : `of the last ${last} ${unit}s`;
  }
  if ('from' in period) return `from ${period.from} to ${period.to}`;
  const { year } = period;
  return year === 'enrolment'
    ? "of the member's year since enrolment"
    : `of the member's year since its level in ${year.tier}`;
}
