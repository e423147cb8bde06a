import { fieldName, namedField } from './conditionQuery';
import { comparing, knownFacts, type RuleSchema } from './knownFacts';

/** A fact, or a part of it, to choose from. */
export interface FactOption {
  /** Its name in the query builder. */
  name: string;
  group: string;
  label: string;
  description: string;
}

/** Everything that conditions may compare without params, and facts with params by their names alone. */
export function factOptions(schema: RuleSchema): FactOption[] {
  return knownFacts(schema).flatMap(({ name: fact, description, paths, hasParams }) => {
    const isWhole = paths.length === 0 || hasParams || comparing(schema, fact, undefined)?.kind !== 'object';
    const whole = isWhole ? [optionOf({ fact }, description)] : [];
    return [...whole, ...paths.map((path) => optionOf({ fact, path }, description))];
  });
}

/** The facts that are numbers, from which points can be computed. */
export function numberOptions(schema: RuleSchema): FactOption[] {
  return factOptions(schema).filter(({ name }) => {
    const named = namedField(name);
    return 'fact' in named && ['number', 'any'].includes(comparing(schema, named.fact, named.path)?.kind ?? '');
  });
}

/** A field as an option, whether or not the org knows it. */
export function optionOfField(name: string): FactOption {
  const named = namedField(name);
  if ('condition' in named) return { name, group: 'condition', label: named.condition, description: '' };
  return optionOf(named, '');
}

function optionOf(named: { fact: string; path?: string; params?: unknown }, description: string): FactOption {
  const { fact, path, params } = named;
  const part = path === undefined ? '' : ` ${path.replace(/^\$\.?/, '')}`;
  const suffix = params === undefined ? '' : ` (${paramsText(params)})`;
  return { name: fieldName(named), group: fact, label: `${fact}${part}${suffix}`, description };
}

/** Params in few words: their strings and numbers. */
export function paramsText(params: unknown): string {
  if (typeof params !== 'object' || params === null) return String(params);
  return Object.values(params).map(paramsText).join(' ');
}
