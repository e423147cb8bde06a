import type { FormTexts } from '../../i18n/formTexts';
import type { RuleSchema, Schema } from './knownFacts';
import { valuesIn } from './knownFacts';
import { ownActivityTypes } from './ownActivityTypes';

/** A field of an object of a rule, by its name. */
export interface NamedField {
  name: string;
  /** Where it is in the definition that has it, such as `addPoints.expiry.unit`. */
  path: string;
  description: string;
  /** What its definition says for forms, by language. */
  texts: FormTexts | undefined;
  isRequired: boolean;
  /** The org chose the name, such as the name of a purse: it is shown unchanged. */
  isOfOrg?: true;
  shape: FieldShape;
}

interface Texts {
  values: readonly string[];
  /** No other strings are allowed. */
  isClosed: boolean;
  /** Those of the values that are the service's own, which are said in words. Names that an org chose are not. */
  labelled: readonly string[];
  /** What the definition of the field says for forms. */
  texts: FormTexts | undefined;
}

/**
 * How the form shows a value. `words` is a list of strings, `amount` a number or what computes one, and `free` is JSON
 * as it is written.
 */
export type FieldShape =
  | ({ kind: 'text' } & Texts)
  | ({ kind: 'words' } & Texts)
  | { kind: 'number' | 'boolean' | 'amount' | 'free' }
  | { kind: 'list'; item: FieldShape }
  | { kind: 'object'; fields: readonly NamedField[] }
  /** Values by names that the rule chooses, such as points by purse. */
  | { kind: 'record'; item: FieldShape; names: readonly string[] };

const free: FieldShape = { kind: 'free' };

/** Fields with values that an org named. The schema lists them as it lists its own words. */
const namedByOrg: readonly string[] = ['segment', 'segments', 'tier', 'tiers'];

/** Fields of a member in a test that have names of the org inside: tier policies, purses and segments. */
const ofOrg: readonly string[] = [
  'tier',
  'tierNumber',
  'tierSince',
  'tierUntil',
  'tierMissing',
  'purse',
  'segmentSince',
];

/** How deep objects may be within each other before the form shows them as JSON. */
const depthMax = 8;

/** How the form shows what a schema describes. */
export function shapeOf(schema: Schema | boolean | undefined, root: RuleSchema, above: string, depth = 0): FieldShape {
  if (typeof schema !== 'object' || depth > depthMax) return free;
  if (schema.$ref === '#/$defs/amount' || schema.$ref === '#/$defs/operand') return { kind: 'amount' };
  if (schema.$ref !== undefined) {
    const name = schema.$ref.replace('#/$defs/', '');
    return shapeOf(root.$defs[name], root, name, depth + 1);
  }
  const texts = textsOf(schema);
  if (texts) return { kind: 'text', ...texts };
  if (schema.type === 'boolean') return { kind: 'boolean' };
  if (schema.type === 'integer' || schema.type === 'number') return { kind: 'number' };
  if (schema.type === 'array') return listOf(schema, root, above, depth);
  if (schema.type === 'object' && schema.properties)
    return { kind: 'object', fields: fieldsOf(schema, root, above, depth) };
  if (schema.type === 'object' && schema.additionalProperties) return recordOf(schema, root, above, depth);
  // What may be an object or something simpler, such as a period: an object is shown as JSON.
  if (schema.if?.type === 'object' && schema.else) return shapeOf(schema.else, root, above, depth + 1);
  const whole = schema.allOf?.findLast((each) => each.properties);
  return whole ? shapeOf(whole, root, above, depth + 1) : free;
}

/**
 * The fields of an object that a schema describes, in its order.
 * @param above where the object is in its definition
 */
export function fieldsOf(schema: Schema, root: RuleSchema, above: string, depth = 0): NamedField[] {
  const required = new Set(schema.required);
  return Object.entries(schema.properties ?? {}).flatMap(([name, part]) => {
    if (typeof part !== 'object' || part.const !== undefined) return [];
    const own = { ...part, anyOf: [...(part.anyOf ?? []), ...knownNames(schema, name)] };
    const path = `${above}.${name}`;
    const shape = shapeOf(own.anyOf.length === 0 ? part : own, root, path, depth + 1);
    return [
      {
        name,
        path,
        description: part.description ?? '',
        texts: part['x-form'],
        isRequired: required.has(name),
        shape: named(name, shape),
      },
    ];
  });
}

function named(name: string, shape: FieldShape): FieldShape {
  if (name === 'activityTypes') return withLabels(shape, ownActivityTypes);
  const shown = namedByOrg.includes(name) ? withLabels(shape, []) : shape;
  if (shown.kind !== 'object' || !ofOrg.includes(name)) return shown;
  return { ...shown, fields: shown.fields.map((each) => ({ ...each, isOfOrg: true })) };
}

function withLabels(shape: FieldShape, own: readonly string[]): FieldShape {
  if (shape.kind === 'object') {
    return { ...shape, fields: shape.fields.map((each) => ({ ...each, shape: withLabels(each.shape, own) })) };
  }
  return 'labelled' in shape ? { ...shape, labelled: shape.values.filter((each) => own.includes(each)) } : shape;
}

/** Tells whether the form can show a value so; else it shows its JSON. */
export function fits(shape: FieldShape, value: unknown): boolean {
  if (value === undefined || shape.kind === 'free') return true;
  if (shape.kind === 'amount') return typeof value === 'number' || isObject(value);
  if (shape.kind === 'text') return typeof value === 'string';
  if (shape.kind === 'words') return Array.isArray(value) && value.every((each) => typeof each === 'string');
  if (shape.kind === 'list') return Array.isArray(value);
  if (shape.kind === 'object' || shape.kind === 'record') return isObject(value);
  return typeof value === shape.kind;
}

/** The names that the org has for a param of an action: the schema says them beside the params. */
function knownNames(schema: Schema, name: string): Schema[] {
  return (schema.allOf ?? []).flatMap((each) => {
    const part = each.properties?.[name];
    return typeof part === 'object' && valuesIn(part).length > 0 ? [part] : [];
  });
}

function textsOf(schema: Schema): Texts | undefined {
  const { type, anyOf = [] } = schema;
  const words = schema.enum ?? anyOf.flatMap((each) => each.enum ?? []);
  const isWords = words.length > 0 && words.every((each) => typeof each === 'string');
  const isText = type === 'string' || (type === undefined && (isWords || anyOf.some((each) => each.type === 'string')));
  if (!isText) return undefined;
  // If any string is allowed, such as the name of something made later, the values are only proposals.
  const values = valuesIn(schema);
  const isClosed = schema.enum !== undefined;
  return { values, isClosed, labelled: isClosed ? values : [], texts: schema['x-form'] };
}

function listOf({ items, ...schema }: Schema, root: RuleSchema, above: string, depth: number): FieldShape {
  const item = shapeOf(items, root, above, depth + 1);
  if (item.kind !== 'text') return { kind: 'list', item };
  return { ...item, kind: 'words', values: [...new Set([...item.values, ...valuesIn(schema)])] };
}

function recordOf(schema: Schema, root: RuleSchema, above: string, depth: number): FieldShape {
  const item = shapeOf(schema.additionalProperties, root, above, depth + 1);
  return item.kind === 'free' ? free : { kind: 'record', item, names: valuesIn(schema.propertyNames) };
}

/** Tells whether a value is an object of JSON. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
