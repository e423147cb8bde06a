import { OptionalKind, type TSchema } from '@sinclair/typebox';
import { amount } from '../../rules/language/amount';
import { integerMax } from '../../schema/atoms';

/** What kind of value a schema takes, in words. */
export function kindText(schema: TSchema): string {
  if (schema.if) return schema.if.type === 'object' && schema.else?.type === 'integer' ? amountText : 'text, or a fact';
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

/** What a schema says of itself: its description, without that of every amount, and its default. */
export function meaningText(schema: TSchema): string {
  const description = schema.description === amount.description ? '' : (schema.description ?? '');
  const needsDefault = schema.default !== undefined && typeof schema.default !== 'object';
  return [description, ...(needsDefault ? [`default \`${schema.default}\``] : [])].filter(Boolean).join('; ');
}

/** One field of a shape, those of nested objects after it. */
export interface FieldRow {
  /** Names from the shape on. */
  path: readonly string[];
  schema: TSchema;
  isRequired: boolean;
}

/** The fields of an object and of the objects in it; what takes any fields, and elements of lists, are not looked into. */
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

/** A Markdown table; a bar in a cell is escaped. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}
