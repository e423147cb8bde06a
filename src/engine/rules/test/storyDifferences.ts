import { isDeepStrictEqual } from 'node:util';
import type { Rule, RuleTest } from '../format/rule';
import type { StepExpected } from '../format/storyShape';
import type { Expected } from '../format/testSteps';
import type { Given, StepCame } from './story';

/**
 * The differences between the expected and actual results of a test with steps, in words. Those of a step name it, and
 * say what moved its points. `expect` of the test is for all steps together.
 */
export function storyDifferences({ expect }: RuleTest, came: readonly StepCame[], rules: readonly Rule[]): string[] {
  const own = came.flatMap((each) => {
    const wanted = each.step.expect;
    if (!wanted) return [];
    const found = [...differences(wanted, [each], rules), ...stateDifferences(wanted, each)];
    const why = found.length > 0 && each.notes.length > 0 ? ` (${each.notes.join(' ')})` : '';
    return found.map((text, index) => `${named(each)}: ${text}${index === 0 ? why : ''}`);
  });
  const isTold = ({ step }: StepCame) => step.expect?.error !== undefined;
  const untold = expect.error === undefined ? came.filter((each) => !isTold(each)) : came;
  const errors = errorDifferences(expect.error, untold, true);
  return [...errors, ...changes(expect, came, rules), ...own];
}

function named({ at, title }: StepCame): string {
  return `step ${Number(at.at(-1)) + 1} (${title})`;
}

function differences(wanted: Expected, came: readonly StepCame[], rules: readonly Rule[]): string[] {
  return [...errorDifferences(wanted.error, came, false), ...changes(wanted, came, rules)];
}

function changes(wanted: Expected, came: readonly StepCame[], rules: readonly Rule[]): string[] {
  const points = Object.entries(wanted.points ?? {}).flatMap(([purse, points]) => {
    const got = came.reduce((sum, step) => sum + (step.points[purse] ?? 0), 0);
    return got === points ? [] : [`expected ${points} ${purse}, got ${got}`];
  });
  const fired = new Set(came.flatMap((step) => step.fired));
  const keys = new Set(rules.filter(({ key }) => fired.has(key)).flatMap(({ key, row }) => [key, row?.table ?? key]));
  const missed = (wanted.fired ?? [])
    .filter((key) => !keys.has(key))
    .map((key) => `"${key}" did not fire${why(key, came)}`);
  const extra = (wanted.notFired ?? []).filter((key) => keys.has(key)).map((key) => `"${key}" fired`);
  const set: Record<string, unknown> = Object.assign({}, ...came.map((step) => step.data));
  const data = Object.entries(wanted.data ?? {}).flatMap(([name, value]) =>
    isDeepStrictEqual(set[name], value) ? [] : [`expected data ${name} ${textOf(value)}, got ${textOf(set[name])}`],
  );
  return [...points, ...missed, ...extra, ...data];
}

/** Why a rule did not fire, at the last step that it was evaluated for. */
function why(key: string, came: readonly StepCame[]): string {
  const reason = came.flatMap(({ reasons }) => reasons.get(key) ?? []).at(-1);
  return reason === undefined ? '' : ` (${reason})`;
}

/** What the member has after the step, and what a cancel returned. */
function stateDifferences(wanted: StepExpected, came: StepCame): string[] {
  const numbers = (['balance', 'available'] as const).flatMap((field) =>
    Object.entries(wanted[field] ?? {}).flatMap(([purse, points]) => {
      const got = came[field][purse] ?? 0;
      return got === points ? [] : [`expected ${field} ${points} ${purse}, got ${got}`];
    }),
  );
  const levels = Object.entries(wanted.levels ?? {}).flatMap(([policy, level]) => {
    const got = came.levels[policy] ?? null;
    return got === level ? [] : [`expected level ${textOf(level)} of ${policy}, got ${textOf(got)}`];
  });
  const returned = Object.entries(wanted.returned ?? {}).flatMap(([key, points]) => {
    const got = came.returned[key] ?? 0;
    return got === points ? [] : [`expected ${points} points of "${key}" returned, got ${got}`];
  });
  return [...numbers, ...levels, ...returned, ...givenDifferences(wanted, came)];
}

/** How the differences tell what a step gave beside points, by the fields of {@link StepCame}. */
const givenWords = {
  offers: (name: string, value: number) => `${name} applied with ${value}`,
  rewards: (name: string, value: number) => `${value} ${name} issued`,
  money: (name: string, value: number) => `${value} in money for ${name}`,
  pool: (name: string, value: number) => `${value} ${name} for the head of the family`,
} as const;

/** What a step gave beside points. An empty object expects that nothing of the kind happened. */
function givenDifferences(wanted: StepExpected, came: StepCame): string[] {
  return (['offers', 'rewards', 'money', 'pool'] as const).flatMap((field) => {
    const expected = wanted[field];
    if (!expected) return [];
    if (Object.keys(expected).length === 0) return unwanted(field, came[field]);
    return Object.entries(expected).flatMap(([name, value]) => {
      const own = came[field].filter(({ names }) => names.includes(name));
      const isMissing = field === 'offers' && own.length === 0;
      const got = isMissing ? null : own.reduce((sum, each) => sum + each.value, 0);
      if (got === value) return [];
      const asked = value === null ? `${name} not applied` : givenWords[field](name, value);
      return [`expected ${asked}, got ${got ?? 'none'}`];
    });
  });
}

function unwanted(field: keyof typeof givenWords, came: readonly Given[]): string[] {
  const told = came.map(({ names: [name = ''], value }) => givenWords[field](name, value));
  return told.length === 0 ? [] : [`expected no ${field}, got ${told.join(', ')}`];
}

/** @param areNamed each unexpected error says its step */
function errorDifferences(wanted: number | string | undefined, came: readonly StepCame[], areNamed: boolean): string[] {
  const told = came.flatMap((step) =>
    step.errors.map(({ code, message }) => `${code} ${message}${areNamed ? ` at ${named(step)}` : ''}`),
  );
  const got = told.join(', ') || 'none';
  if (wanted === undefined) return told.length === 0 || !areNamed ? [] : [`unexpected error ${got}`];
  const isMet = came.some(({ errors }) => errors.some(({ code, message }) => code === wanted || message === wanted));
  return isMet ? [] : [`expected error ${wanted}, got ${got}`];
}

function textOf(value: unknown): string {
  return JSON.stringify(value) ?? 'missing';
}
