import type { TSchema } from '@sinclair/typebox';
import { when } from '../../schema/when';
import { conditionLimits } from '../check/checkConditions';
import { factsOf, noNames } from '../format/facts';
import { ruleShape } from '../format/rule';
import { columnShape } from '../format/tableShape';
import { amount } from '../language/amount';
import { decorators, operators } from '../language/operators';
import { pathPattern } from '../language/path';
import { namedConditionShape } from './readProgram';

/**
 * The JSON Schema of rule files for editors: `rules/rule.schema.json`. It is made from the shapes and catalogues that
 * loading uses for its checks. Only loading checks names that differ between programs, such as purses and segments.
 */
export function ruleJsonSchema(): Record<string, unknown> {
  const entry = when({ required: ['namedCondition'] }, ref('namedCondition'), ref('rule'));
  return plain({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'A rule file: one rule or named condition, or a list of them',
    ...when({ type: 'array' }, { type: 'array', items: entry }, entry),
    $defs: {
      rule: withColumns(withConditions(ruleShape)),
      namedCondition: withConditions(namedConditionShape),
      condition: conditionSchema(),
      column: columnSchema(),
      factValue: factSchema(),
      amount,
    },
  });
}

/** A rule may omit fields that have a default, so these are not required. */
function withConditions(shape: TSchema): TSchema {
  const properties: Record<string, TSchema> = shape.properties;
  const needed: string[] = shape.required ?? [];
  const required = needed.filter((name) => properties[name]?.default === undefined);
  return { ...shape, required, properties: { ...properties, conditions: ref('condition') } };
}

/** Gives the columns of a table the schema of columns, with all facts and operators. */
function withColumns(shape: TSchema): TSchema {
  const { table } = shape.properties;
  const { columns } = table.properties;
  const named = { ...columns, additionalProperties: ref('column') };
  return {
    ...shape,
    properties: { ...shape.properties, table: { ...table, properties: { ...table.properties, columns: named } } },
  };
}

/** Editors complete facts and operators of a column as they do in a condition. */
function columnSchema() {
  const { fact, path, params } = factProperties();
  const { else: other, ...column } = columnShape;
  const { else: condition, ...rest } = other;
  const properties = { ...condition.properties, fact, path, params, operator: operatorSchema() };
  return { ...column, else: { ...rest, else: { ...condition, properties } } };
}

function conditionSchema() {
  const common = {
    name: { type: 'string' },
    priority: { type: 'integer', minimum: 1, maximum: conditionLimits.priorityMax },
  };
  const node = (word: string, value: unknown) => ({
    properties: { [word]: value, ...common },
    required: [word],
    additionalProperties: false,
  });
  const branches: [string, unknown][] = [
    ['all', { type: 'array', items: ref('condition') }],
    ['any', { type: 'array', minItems: 1, items: ref('condition') }],
    ['not', ref('condition')],
    ['condition', { type: 'string', description: 'Name of a named condition' }],
  ];
  return branches.reduceRight<Record<string, unknown>>(
    (otherwise, [word, value]) => when({ required: [word] }, node(word, value), otherwise),
    comparisonSchema(common),
  );
}

function comparisonSchema(common: Record<string, unknown>) {
  const { fact, path, params } = factProperties();
  return {
    properties: {
      fact,
      path,
      params,
      operator: operatorSchema(),
      value: { description: 'What to compare with; {"fact": ...} compares with another fact' },
      ...common,
    },
    required: ['fact', 'operator', 'value'],
    additionalProperties: false,
  };
}

function factSchema() {
  return { type: 'object', properties: factProperties(), required: ['fact'], additionalProperties: false };
}

function factProperties() {
  const facts = factsOf(noNames);
  return {
    fact: { anyOf: Object.entries(facts).map(([name, { description }]) => ({ const: name, description })) },
    path: { type: 'string', pattern: pathPattern, description: 'A part of the fact, such as $.value' },
    params: { type: 'object' },
  };
}

function operatorSchema() {
  const known = Object.entries(operators).map(([name, { description }]) => ({ const: name, description }));
  const decorated = `^((${alternatives(decorators)}):)+(${alternatives(operators)})$`;
  return { anyOf: [...known, { type: 'string', pattern: decorated }] };
}

function alternatives(names: Record<string, unknown>): string {
  return Object.keys(names).join('|');
}

function ref(name: string) {
  return { $ref: `#/$defs/${name}` };
}

/** Removes the service's own `x-` keywords, which editors do not know. */
function plain(schema: Record<string, unknown>): Record<string, unknown> {
  const dropOwn = (key: string, value: unknown) => (key.startsWith('x-') ? undefined : value);
  return JSON.parse(JSON.stringify(schema, dropOwn));
}
