import { OptionalKind, type TSchema } from '@sinclair/typebox';
import { integerMax } from '#base/schema/atoms';
import { amount } from '#engine/rules/language/amount';

/** The kind of value that a schema accepts, in words. */
export function kindText(schema: TSchema): string {
  if (schema['x-kind']) return schema['x-kind'];
  if (schema.if) return alternativesText(schema);
  if (schema.enum) return schema.enum.map((word: unknown) => `\`${word}\``).join(', ');
  if (schema['x-objectId']) return 'id';
  if (schema['x-date']) return 'date';
  if (schema.type === 'array') return `list of ${kindText(schema.items)}`;
  if (schema.type === 'integer') return `whole number${boundsText(schema)}`;
  if (schema.type === 'number') return `number${boundsText(schema)}`;
  if (schema.type === 'string') return 'text';
  if (schema.type === 'boolean') return '`true`, `false`';
  return Array.isArray(schema.type) ? schema.type.map((type: string) => plain[type] ?? type).join(' or ') : 'object';
}

/** The kinds of a schema with alternatives, by what it is when the first does not apply. */
function alternativesText({ if: test, else: other }: TSchema): string {
  if (test.type === 'array') return 'text, or list of texts';
  if (test.required) return 'fact, or [computation](#amounts)';
  if (other?.type === 'integer') return amountText;
  return `${other?.type === 'number' ? 'number' : 'text'}, or a fact`;
}

const amountText = '[amount](#amounts)';
const plain: Readonly<Record<string, string>> = { integer: 'whole number', string: 'text', object: 'object' };

function boundsText({ minimum, maximum, exclusiveMinimum }: TSchema): string {
  const from = minimum === undefined || minimum === -integerMax ? undefined : minimum;
  const to = maximum === undefined || maximum === integerMax ? undefined : grouped(maximum);
  if (exclusiveMinimum !== undefined) return ` above ${exclusiveMinimum}`;
  if (from !== undefined && to !== undefined) return `, ${from} to ${to}`;
  return from === undefined ? '' : `, ${from} or more`;
}

/** A number with commas between thousands. */
export function grouped(number: number): string {
  return number.toLocaleString('en-US');
}

/** The meaning of a schema: its description and default. The general description of amounts is omitted. */
export function meaningText(schema: TSchema): string {
  const description = schema.description === amount.description ? '' : (schema.description ?? '');
  const needsDefault = schema.default !== undefined && typeof schema.default !== 'object';
  return [description, ...(needsDefault ? [`default \`${schema.default}\``] : [])].filter(Boolean).join('; ');
}

/** One field of a shape. The fields of a nested object follow it. */
export interface FieldRow {
  /** Field names, from the shape down to the field. */
  path: readonly string[];
  schema: TSchema;
  isRequired: boolean;
}

/** The fields of an object and of its nested objects. Free objects and the elements of lists are not expanded. */
export function fieldRows(shape: TSchema, before: readonly string[] = []): FieldRow[] {
  const properties: Record<string, TSchema> = shape.properties ?? {};
  return Object.entries(properties).flatMap(([name, schema]) => {
    const path = [...before, name];
    const isRequired = !(OptionalKind in schema) && schema.default === undefined;
    const any: TSchema | boolean | undefined = schema.additionalProperties;
    const below = typeof any === 'object' ? fieldRows(any, [...path, '<field>']) : fieldRows(schema, path);
    return [{ path, schema, isRequired }, ...(schema['x-free'] ? [] : below)];
  });
}

/** A Markdown table. Bars in cells are escaped. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}
