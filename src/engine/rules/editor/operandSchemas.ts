import { ifThenElse } from '#base/schema/ifThenElse';
import { acceptedKinds } from '../check/operandFault';
import type { FactType } from '../format/factType';
import { decorators, directions, type OperatorDefinition, operators, regexMax } from '../language/operators';
import { oneOfNames } from './orgNames';
import { acceptedInstant } from './plainSchema';

type Schema = Record<string, unknown>;

/** Values of a schema that may also be null. */
const orNull = (schema: Schema): Schema => ({ anyOf: [schema, { type: 'null' }] });
/** Values of a schema that may also be null or the value of a fact. */
const orFact = (schema: Schema): Schema => ({ anyOf: [schema, { type: 'null' }, factValue] });
const factValue = { $ref: '#/$defs/factValue' };
const element = { $ref: '#/$defs/element' };

/** An element of a list: no object at any depth, so no fact either. */
export const elementSchema: Schema = ifThenElse(
  { type: 'array' },
  { items: element },
  { type: ['string', 'number', 'boolean', 'null'] },
);

/** What `value` may be: the value of a fact, or no object. */
export const literalSchema: Schema = ifThenElse({ type: 'object' }, factValue, element);

const not = '(not:)*';
const anyDecorators = `((${Object.keys(decorators).join('|')}):)*`;

/** The names of operators for facts of a type; with `value`, only those with this kind of value. */
function fitting({ kind }: FactType, valueKind?: OperatorDefinition['value']): string[] {
  return Object.entries(operators).flatMap(([name, { fact, value: own }]) =>
    (kind === 'any' || acceptedKinds[fact].includes(kind)) && (valueKind === undefined || own === valueKind)
      ? [name]
      : [],
  );
}

const valueKinds = [...new Set(Object.values(operators).map(({ value: kind }) => kind))];

/** The operators and values that fit a fact of a type. A comparison with `swap` is not looked into. */
export function operandSchema(type: FactType, namedLists: readonly string[] | undefined): Schema {
  const forms = typeForms(type);
  const values = forms.flatMap(({ before, type: compared, isEach }) =>
    valueKinds.flatMap((kind) => {
      const names = fitting(compared, kind);
      if (names.length === 0) return [];
      const schema = isEach ? eachSchema(compared, kind, namedLists) : valueSchema(compared, kind, namedLists);
      return [
        ifThenElse(
          { properties: { operator: { pattern: `^${before}(${names.join('|')})$` } } },
          { properties: { value: schema } },
        ),
      ];
    }),
  );
  const plain = fitting(type).map((name) => ({ const: name, description: operators[name]?.description }));
  const patterns = forms.flatMap(({ before, type: compared }) => {
    const names = fitting(compared);
    return names.length === 0 ? [] : [`${before}(${names.join('|')})`];
  });
  const swapped = `${anyDecorators}swap:${anyDecorators}(${Object.keys(operators).join('|')})`;
  const pattern = `^(${[...patterns, swapped].join('|')})$`;
  return { properties: { operator: { anyOf: [...plain, { type: 'string', pattern }] } }, allOf: values };
}

/** The ways to compare a fact: as it is, its elements, and each with every value of a list. */
function typeForms(type: FactType): { before: string; type: FactType; isEach: boolean }[] {
  const forms = [{ before: not, type, isEach: false }];
  const item: FactType | undefined = type.kind === 'any' ? { kind: 'any' } : type.item;
  const ofElement = `${not}(someFact|everyFact):${not}`;
  if (type.kind === 'any') forms.push({ before: `${not}((someFact|everyFact):${not})+`, type, isEach: false });
  else if (item) forms.push({ before: ofElement, type: item, isEach: false });
  if (item?.item) forms.push({ before: `${ofElement}(someFact|everyFact):${not}`, type: item.item, isEach: false });
  if (type.kind === 'list' && item?.kind === 'any') {
    forms.push({ before: `${ofElement}((someFact|everyFact):${not})+`, type: item, isEach: false });
  }
  const each = forms.map((form) => ({ ...form, before: `${form.before}(someValue|everyValue):${anyDecorators}` }));
  return [...forms, ...each.map((form) => ({ ...form, isEach: true }))];
}

type NamedLists = readonly string[] | undefined;

/** A list of which each element is compared. An element is never the value of a fact. */
function eachSchema(type: FactType, kind: OperatorDefinition['value'], namedLists: NamedLists): Schema {
  return orFact({ type: 'array', items: valueSchema(type, kind, namedLists, true) });
}

function valueSchema(
  type: FactType,
  kind: OperatorDefinition['value'],
  namedLists: NamedLists,
  isElement = false,
): Schema {
  const value = isElement ? orNull : orFact;
  const one = sameSchema(type);
  const pair = { type: 'array', items: orNull(one), minItems: 2, maxItems: 2 };
  const schemas: Record<OperatorDefinition['value'], Schema> = {
    same: value(one),
    listOfSame: value({ type: 'array', items: orNull(one) }),
    element: value(sameSchema(type.item ?? { kind: 'any' })),
    pair: isElement ? pair : { anyOf: [pair, factValue] },
    days: isElement
      ? daysSchema
      : ifThenElse({ type: 'object', properties: {}, required: ['fact'] }, factValue, daysSchema),
    text: value({ type: 'string' }),
    regex: value({ type: 'string', maxLength: regexMax }),
    boolean: value({ type: 'boolean' }),
    listName: namedLists ? oneOfNames(namedLists) : { type: 'string' },
  };
  return schemas[kind];
}

/** A number of days, or with a direction. */
const daysSchema: Schema = ifThenElse(
  { type: 'object' },
  {
    properties: { days: { type: 'number', minimum: 0 }, direction: { enum: [...directions] } },
    required: ['days'],
    additionalProperties: false,
  },
  { type: 'number', minimum: 0 },
);

/** Values of the same type. Words are only proposed, since others are warnings. */
function sameSchema({ kind, words }: FactType): Schema {
  const schemas: Record<FactType['kind'], Schema> = {
    any: element,
    number: { type: 'number' },
    text: words ? { anyOf: [oneOfNames(words), { type: 'string' }] } : { type: 'string' },
    boolean: { type: 'boolean' },
    date: { type: 'string', pattern: dateOrDay },
    list: { type: 'array', items: element },
    // No operator that compares a value accepts a fact that is an object.
    object: { not: {} },
  };
  return schemas[kind];
}

/** An instant, or a day: the day at its beginning in UTC. */
const dateOrDay = `${acceptedInstant}|^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$`;
