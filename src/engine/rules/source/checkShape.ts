import type { TSchema } from '@sinclair/typebox';
import type { FieldError } from '#base/common/errors';
import { joinMessages, type Message, message, pickMessage } from '#base/common/messages/message';
import { compileCheck } from '#base/schema/parse';
import { didYouMean } from './nearest';
import type { JsonPath, RuleSource } from './ruleSource';
import { valueAt } from './valueAt';

/** Checks a value of a file against a schema and reports each fault at its field. Returns false when it has a fault. */
export type ShapeCheck = (source: RuleSource, at: JsonPath, value: unknown) => boolean;

/**
 * Makes the check of a schema. The message for an unknown field or word proposes a similar known one.
 */
export function makeShapeCheck(schema: TSchema): ShapeCheck {
  const check = compileCheck(schema);
  return (source, at, value) => {
    // ajv fills in defaults, so it gets a copy: the value must stay as the file has it.
    const errors = check(structuredClone(value));
    reportFaults(source, at, errors, { schema, value });
    return errors.length === 0;
  };
}

/** Reports the faults that a check of a value found, each at its field. */
export function reportFaults(source: RuleSource, at: JsonPath, faults: readonly FieldError[], checked: Checked): void {
  for (const fault of faults) report(source, at, fault, checked);
}

/** A schema and the value that chooses between its alternatives. */
export interface Checked {
  schema: TSchema;
  value: unknown;
}

function report(source: RuleSource, at: JsonPath, { kind, path, ...shown }: FieldError, checked: Checked): void {
  const inside = pathSegments(path, checked.value);
  const place = [...at, ...inside];
  const name = String(inside.at(-1) ?? '');
  if (kind === 'additionalProperties' && valueAt(checked.value, inside.slice(0, -1)) !== undefined && name !== '') {
    const parent = schemaAt(checked, inside.slice(0, -1));
    const known = Object.keys(parent?.properties ?? {});
    if (known.length > 0 && !known.includes(name)) {
      source.keyError(place, didYouMean(message('rules.unknownField', { name }), name, known));
      return;
    }
  }
  const subject = typeof inside.at(-1) === 'number' ? `${inside.at(-2) ?? 'element'}[${name}]` : name;
  const fault = kind === 'type' ? typeFault(shown, valueAt(checked.value, inside)) : pickMessage(shown);
  // Messages about several fields begin with their names.
  const isNamed = name === '' || [`${name} `, `${name}, `].some((start) => fault.message.startsWith(start));
  const named = isNamed ? fault : message('rules.atPath', { path: subject, fault });
  source.error(place, suggested(named, kind, inside, checked));
}

/** Makes `must be integer` plainer, and adds the actual value. */
function typeFault({ message: text, params }: Message, value: unknown): Message {
  const types = params?.type === undefined ? [] : String(params.type).split(',');
  if (types.length === 0) return { message: text };
  const is = JSON.stringify(value) ?? 'missing';
  const shown = is.length <= shownMax ? is : `${is.slice(0, shownMax)}…`;
  const wanted = types.map((type) => typeWords[type] ?? { message: type });
  return message('rules.type', { wanted: joinMessages('or', wanted), value: shown });
}

/** Maximum length of a wrong value in a message, in characters. */
const shownMax = 40;

const typeWords: Readonly<Record<string, Message>> = {
  integer: message('words.aWholeNumber'),
  number: message('words.aNumber'),
  string: message('words.aText'),
  boolean: message('words.trueOrFalse'),
  array: message('words.aList'),
  object: message('words.anObject'),
};

function suggested(fault: Message, kind: string, inside: JsonPath, checked: Checked): Message {
  if (kind !== 'enum') return fault;
  const wrong = valueAt(checked.value, inside);
  const known: unknown[] = schemaAt(checked, inside)?.enum ?? [];
  return typeof wrong === 'string' ? didYouMean(fault, wrong, known.map(String)) : fault;
}

/** Splits a dotted path. A position in a list becomes a number. A key may itself contain dots, so the value decides. */
function pathSegments(path: string, value: unknown): (string | number)[] {
  if (path === '') return [];
  if (Array.isArray(value)) {
    const [index = '', ...rest] = path.split('.');
    return [Number(index), ...pathSegments(rest.join('.'), value[Number(index)])];
  }
  if (typeof value !== 'object' || value === null) return path.split('.');
  const key =
    Object.keys(value).find((name) => path === name || path.startsWith(`${name}.`)) ?? path.split('.')[0] ?? '';
  return [key, ...pathSegments(path.slice(key.length + 1), valueAt(value, [key]))];
}

/** The schema at a path. The value chooses between alternatives. */
export function schemaAt({ schema, value }: Checked, path: JsonPath): TSchema | undefined {
  let current: TSchema | undefined = chosen(schema, value);
  for (let depth = 0; depth < path.length && current; depth += 1) {
    const step: string | number = path[depth] ?? '';
    const next: TSchema | undefined = typeof step === 'number' ? current.items : fieldSchema(current, step);
    current = next && chosen(next, valueAt(value, path.slice(0, depth + 1)));
  }
  return current;
}

/** The schema of a named field, or else the schema for additional fields. */
function fieldSchema({ properties, additionalProperties }: TSchema, name: string): TSchema | undefined {
  const known: Record<string, TSchema> = properties ?? {};
  return known[name] ?? (additionalProperties || undefined);
}

/** Follows `if`/`then`/`else`, also in `allOf`. The schemas of `amount` and of actions have them. */
function chosen(schema: TSchema, value: unknown): TSchema {
  const branches: TSchema[] = schema.allOf ?? [];
  const branch = branches.find((each) => fits(each.if, value));
  if (branch?.then) return chosen(branch.then, value);
  if (!schema.if) return schema;
  const next: TSchema | undefined = fits(schema.if, value) ? schema.then : schema.else;
  return next ? chosen(next, value) : schema;
}

function fits(condition: TSchema | undefined, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const required: string[] = condition?.required ?? [];
  const properties: Record<string, TSchema> = condition?.properties ?? {};
  return (
    required.every((name) => name in value) &&
    Object.entries(properties).every(
      ([name, { const: wanted }]) => wanted === undefined || Reflect.get(value, name) === wanted,
    )
  );
}
