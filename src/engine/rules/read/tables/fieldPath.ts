import type { TSchema } from '@sinclair/typebox';
import { type Message, message } from '#base/common/messages/message';
import { isPath, parsePath } from '../../language/path';
import { schemaAt } from '../../source/checkShape';
import { didYouMean } from '../../source/nearest';
import type { JsonPath } from '../../source/ruleSource';
import { valueAt } from '../../source/valueAt';

/** Fields that no column may set, because they define the table. */
const fixedFields = ['$schema', 'key', 'conditions', 'tests', 'table'];

type Found = { field: JsonPath } | { problem: Message };

/** The field that a column names in `set`, or why there is none. Its lists must exist; missing objects are created. */
export function fieldPath(schema: TSchema, rule: unknown, set: string): Found {
  const steps = isPath(set) ? parsePath(set) : [];
  if (steps.length === 0 || steps.some(({ all }) => all)) {
    return { problem: message('ruleFiles.setForm') };
  }
  const names = steps.flatMap((step) => (step.all ? [] : [step.name]));
  if (fixedFields.includes(names[0] ?? ''))
    return { problem: message('ruleFiles.cannotSet', { field: names[0] ?? '' }) };
  const field: (string | number)[] = [];
  for (const name of names) {
    const step = stepInto(schema, rule, field, name);
    if (typeof step === 'object') return step;
    field.push(step);
  }
  return { field };
}

function stepInto(
  schema: TSchema,
  rule: unknown,
  field: JsonPath,
  name: string,
): string | number | { problem: Message } {
  const parent = schemaAt({ schema, value: rule }, field);
  const value = valueAt(rule, field);
  if (parent?.type === 'array' || Array.isArray(value)) {
    const isThere = Array.isArray(value) && /^\d+$/.test(name) && Number(name) < value.length;
    return isThere ? Number(name) : { problem: message('ruleFiles.ruleHasNo', { field: fieldText([...field, name]) }) };
  }
  const known = Object.keys(parent?.properties ?? {});
  if (known.length === 0 || known.includes(name)) return name;
  return { problem: didYouMean(message('rules.unknownField', { name }), name, known) };
}

/** A copy of a rule with another value in one field. Missing objects on the path are created. */
export function withValue(rule: object, [step, ...rest]: JsonPath, value: unknown): object {
  const inside = (old: unknown) => {
    if (rest.length === 0) return value;
    return withValue(typeof old === 'object' && old !== null ? old : {}, rest, value);
  };
  if (Array.isArray(rule)) return rule.map((each, index) => (index === step ? inside(each) : each));
  return step === undefined ? rule : { ...rule, [step]: inside(Reflect.get(rule, step)) };
}

function fieldText(field: JsonPath): string {
  return field
    .reduce<string>((text, step) => (/^\d+$/.test(String(step)) ? `${text}[${step}]` : `${text}.${step}`), '')
    .slice(1);
}
