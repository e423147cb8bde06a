import type { TSchema } from '@sinclair/typebox';
import { ifThenElse } from '#base/schema/ifThenElse';
import { actionDefinitions, actionTypes } from '../actions/list';
import { conditionLimits } from '../check/checkConditions';
import { noNames } from '../format/factDefinition';
import { factDefinitions } from '../format/facts';
import type { FactType } from '../format/factType';
import { columnShape } from '../format/tableShape';
import { amount } from '../language/amount';
import { computation } from '../language/computation';
import { factRef } from '../language/factRef';
import { decorators, operators } from '../language/operators';
import { lookupShape } from '../lookup/lookupShape';
import { namedConditionShape } from '../read/readProgram';
import { actionSchema, amountSchema } from './actionSchemas';
import { comparedSchemas, factNameSchema, knownFacts, referenceSchema } from './factSchemas';
import { elementSchema, literalSchema, operandSchema } from './operandSchemas';
import { collectFactNames, type OrgNames } from './orgNames';
import { freeSchema, plainSchema } from './plainSchema';
import { ruleFields } from './ruleFields';

type Schema = Record<string, unknown>;

/**
 * The JSON Schema of rule files for editors: `rules/rule.schema.json`. It is made from the shapes and catalogues that
 * loading uses for its checks. With the names of an org, it knows its purses, tiers, segments and codes. It refuses
 * nothing that loading accepts; what only loading refuses is in docs/design/rulesets.md.
 */
export function ruleJsonSchema(names?: OrgNames): Schema {
  const other = ifThenElse({ required: ['lookupTable'] }, ref('lookupTable'), ref('rule'));
  const entry = ifThenElse({ required: ['namedCondition'] }, ref('namedCondition'), other);
  const facts = knownFacts(factDefinitions(names ? collectFactNames(names) : noNames));
  const types = new Map<string, { name: string; type: FactType }>();
  const ofType = (type: FactType) => {
    const key = JSON.stringify(type);
    const known = types.get(key) ?? { name: `${type.kind}Compared${types.size}`, type };
    types.set(key, known);
    return ref(known.name);
  };
  const compared = comparedSchemas(facts, ofType);
  const reference = (isFit?: (type: FactType) => boolean) => referenceSchema(facts, paramsSchema, isFit);
  const fact = factNameSchema(facts);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'A rule file: one rule, named condition or lookup table, or a list of them',
    ...ifThenElse({ type: 'array' }, { type: 'array', items: entry }, entry),
    $defs: {
      rule: ruleFields(names),
      namedCondition: withConditions(namedConditionShape),
      lookupTable: plainSchema(lookupShape),
      condition: { type: 'object', not: { required: ['fact'] }, allOf: [ref('anyCondition')] },
      anyCondition: { type: 'object', ...conditionSchema(fact) },
      column: columnSchema(fact),
      compared: { allOf: compared },
      reference: reference(),
      numberReference: reference(({ kind }) => kind === 'number' || kind === 'any'),
      factValue: factSchema(fact, 'reference'),
      numberFact: factSchema(fact, 'numberReference'),
      activityFact: { allOf: [ref('factValue'), { properties: { fact: { const: 'activity' } } }] },
      ...Object.fromEntries(actionTypes.map((type) => [type, actionSchema(actionDefinitions[type], names)])),
      ...Object.fromEntries([...types.values()].map(({ name, type }) => [name, operandSchema(type, listNames(names))])),
      amount: amountSchema({ ...amount, 'x-def': undefined }),
      operand: amountSchema(operandShape),
      literal: literalSchema,
      element: elementSchema,
      free: freeSchema,
    },
  };
}

function listNames(names: OrgNames | undefined): string[] | undefined {
  return names?.namedLists?.map(({ name }) => name);
}

function withConditions(shape: TSchema): Schema {
  return plainSchema(shape, (_, name) => (name === 'conditions' ? ref('condition') : undefined));
}

/** The operands of computations contain computations, so their schema refers to itself. */
const operandShape = ifThenElse({ type: 'object' }, ifThenElse({ required: ['fact'] }, factRef, computation), {
  type: 'number',
  description: 'A number, a fact, or a computation',
});

/** The keys of the fact `table` are references or plain values. */
function paramsSchema(shape: TSchema): Schema {
  const key = ifThenElse({ type: 'object' }, ref('factValue'), { type: ['string', 'number', 'boolean'] });
  return plainSchema(shape, (part, name) => (name === 'keys' && Object.keys(part).length === 0 ? key : undefined));
}

/** Editors complete facts and operators of a column as they do in a condition. */
function columnSchema(fact: Schema): Schema {
  const { else: other, ...column } = columnShape;
  const { else: condition, ...rest } = other;
  const properties = { ...condition.properties, fact, operator: operatorSchema() };
  const compares = { ...condition, properties, allOf: [ref('reference')] };
  return plainSchema({ ...column, else: { ...rest, else: compares } });
}

function conditionSchema(fact: Schema): Schema {
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
    ['all', { type: 'array', items: ref('anyCondition') }],
    ['any', { type: 'array', minItems: 1, items: ref('anyCondition') }],
    ['not', ref('anyCondition')],
    ['condition', { type: 'string', description: 'Name of a named condition' }],
  ];
  return branches.reduceRight<Schema>(
    (otherwise, [word, value]) => ifThenElse({ required: [word] }, node(word, value), otherwise),
    comparisonSchema(fact, common),
  );
}

function comparisonSchema(fact: Schema, common: Schema): Schema {
  return {
    properties: {
      fact,
      path: true,
      params: true,
      operator: operatorSchema(),
      value: { description: 'What to compare with; {"fact": ...} compares with another fact' },
      ...common,
    },
    required: ['fact', 'operator', 'value'],
    additionalProperties: false,
    allOf: [ref('reference'), ref('compared')],
  };
}

function factSchema(fact: Schema, reference: string): Schema {
  const properties = { ...factRef.properties, fact, params: true };
  return { type: 'object', properties, required: ['fact'], additionalProperties: false, allOf: [ref(reference)] };
}

function operatorSchema(): Schema {
  const known = Object.entries(operators).map(([name, { description }]) => ({ const: name, description }));
  const decorated = `^((${Object.keys(decorators).join('|')}):)+(${Object.keys(operators).join('|')})$`;
  return { anyOf: [...known, { type: 'string', pattern: decorated }] };
}

function ref(name: string): Schema {
  return { $ref: `#/$defs/${name}` };
}
