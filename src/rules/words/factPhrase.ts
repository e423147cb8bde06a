import { aggregateParamsOf } from '../language/factParams';
import { type PathStep, parsePath } from '../language/path';

/** A reference to a fact, as in conditions, amounts and rule matches. */
export interface ShownRef {
  fact: string;
  path?: string | undefined;
  params?: Readonly<Record<string, unknown>> | undefined;
}

/** A fact, or the part of it that a path selects, in words: `the activity's value`. */
export function factPhrase({ fact, path, params }: ShownRef): string {
  const owner = phraseOf(fact, params);
  const steps = path === undefined ? [] : parsePath(path);
  const [first, second] = steps;
  if (first === undefined || first.all) return partsOf(owner, steps);
  const isNamed = second !== undefined && !second.all;
  const named = isNamed && fact === 'member' ? memberPhrases.get(first.name) : undefined;
  if (isNamed && named) return partsOf(named(second.name), steps.slice(2));
  if (isNamed && first.name === 'ext') return partsOf(`${owner}'s ext.${second.name}`, steps.slice(2));
  return partsOf(`${owner}'s ${wordsOf(first.name)}`, steps.slice(1));
}

/** A camel-case name in words: `itemSKU` is `item SKU`. */
export function wordsOf(name: string): string {
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
  ['isBirthday', "the member's birthday being on the activity's date"],
  ['isFirstActivity', "the activity being the member's first accrual"],
  ['eligibleAmount', 'the amount of the line items that match the filter'],
  ['eligibleQuantity', 'the quantity of the line items that match the filter'],
]);

/** The parts of the member whose names a program chooses. */
const memberPhrases: ReadonlyMap<string, (name: string) => string> = new Map([
  ['tier', (name: string) => `the member's level in ${name}`],
  ['tierNumber', (name: string) => `the number of the member's level in ${name}`],
  ['purse', (name: string) => `the member's purse ${name}`],
]);

function phraseOf(fact: string, params: ShownRef['params']): string {
  if (fact === 'aggregate') return aggregatePhrase(params);
  return phrases.get(fact) ?? `the ${wordsOf(fact)}`;
}

function aggregatePhrase(params: ShownRef['params']): string {
  const asked = aggregateParamsOf(params);
  if (!asked) return "the member's aggregate";
  const { metric, period } = asked;
  return period === 'lifetime' ? `the member's ${metric} so far` : `the member's ${metric} of the ${wordsOf(period)}`;
}

function partsOf(whole: string, steps: readonly PathStep[]): string {
  return steps.reduce((phrase, step, n) => partOf(phrase, step, n === steps.length - 1), whole);
}

function partOf(whole: string, step: PathStep, isLast: boolean): string {
  if (step.all) return isLast ? `the elements of ${whole}` : whole;
  if (/^\d+$/.test(step.name)) return `element ${Number(step.name) + 1} of ${whole}`;
  return step.name === 'length' ? `the number of ${whole}` : `the ${wordsOf(step.name)} of ${whole}`;
}
