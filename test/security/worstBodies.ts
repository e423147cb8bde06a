import type { TSchema } from '@sinclair/typebox';

/** A kind of hostile body: its name in tables, and a function that makes a text of about this many bytes. */
export type WorstBody = readonly [name: string, make: (bytes: number) => string];

/** Repeats a part, separated by commas, up to this many bytes. */
function filled(open: string, close: string, part: (index: number) => string) {
  return (bytes: number): string => {
    const parts: string[] = [];
    let length = open.length + close.length;
    for (let index = 0; ; index += 1) {
      const next = part(index);
      length += next.length + 1;
      if (length > bytes) return `${open}${parts.join(',')}${close}`;
      parts.push(next);
    }
  };
}

/** Like {@link filled}, but with a constant part, which is faster. */
const filledWith = (open: string, close: string, part: string) => (bytes: number) => {
  const count = Math.floor((bytes - open.length - close.length) / (part.length + 1));
  return `${open}${`${part},`.repeat(Math.max(0, count - 1))}${part}${close}`;
};

const name = (index: number) => `k${index.toString(36)}`;
const field = (value: string) => (index: number) => `"${name(index)}":${value}`;
/**
 * Repeats a part `count` times. With at most as many values as a body may have, the body is not refused during reading.
 */
const most = (open: string, close: string, part: (index: number) => string, count: number) => () =>
  `${open}${Array.from({ length: count }, (_unused, index) => part(index)).join(',')}${close}`;

const filledText = (unit: string) => (bytes: number) =>
  `{"ext":{"a":"${unit.repeat((bytes - 20) / unit.length)}"},"name":"${'b'.repeat(3)}"}`;

/** Kinds of JSON that are as costly as their size allows, for any route. */
export const worstBodies: readonly WorstBody[] = [
  ['brackets that never close', (bytes) => '['.repeat(bytes)],
  ['objects that never close', (bytes) => '{"a":'.repeat(bytes / 5)],
  ['deep lists', (bytes) => `${'['.repeat(bytes / 2)}${']'.repeat(bytes / 2)}`],
  ['empty objects', filledWith('[', ']', '{}')],
  ['empty objects below ext', filledWith('{"ext":{"a":[', ']}}', '{}')],
  ['numbers', filledWith('[', ']', '1')],
  ['distinct unknown fields', filled('{', '}', field('1'))],
  ['29,000 distinct unknown fields', most('{', '}', field('1'), 29_000)],
  ['14,000 objects of distinct names', most('{"ext":{"a":[', ']}}', (n) => `{${field('1')(n)}}`, 14_000)],
  ['29,000 names of ext', most('{"ext":{', '}}', field('"x"'), 29_000)],
  ['29,000 texts', most('{"ext":{"a":[', ']}}', () => `"${'x'.repeat(30)}"`, 29_000)],
  ['14,000 lookups', most('{"ext":{"a":[', ']}}', () => '{"lookup":1}', 14_000)],
  ['14,000 names refused', most('{"ext":{"a":[', ']}}', () => '{"$a":1}', 14_000)],
  ['one name a thousand times', filledWith('{', '}', '"ext":{"a":1}')],
  ['a text', filledText('a')],
  ['escapes of two', filledText('\\n')],
  ['escapes of NUL', filledText('\\u0000')],
  ['escaped pairs', filledText('\\ud83d\\ude00')],
  ['characters of four bytes', filledText('😀')],
  ['a number of digits', (bytes) => `{"value":${'9'.repeat(bytes - 20)}}`],
  ['a number of decimals', (bytes) => `{"value":0.${'9'.repeat(bytes - 20)}}`],
  ['numbers beyond all', most('{"ext":{"a":[', ']}}', () => '1e309', 29_000)],
  ['a long name', (bytes) => `{"${'a'.repeat(bytes - 20)}":1}`],
  ['a thousand long names', filled('{', '}', (n) => `"${name(n)}${'a'.repeat(1000)}":1`)],
  ['no UTF-8', (bytes) => `{"a":"${'\u0100'.repeat(bytes / 2 - 10)}`],
];

/** Texts that may be slow for regular expressions of schemas, formats and wildcards. */
const hardTexts = ['a', '1', 'a@', '-', ' ', '/', '.', '*,', 'a,', '{"a":'];

/** Makes one kind of body for each text in a schema: only that text is set, and it is as long as the limit allows. */
export function longTexts(schema: TSchema): WorstBody[] {
  const leaves = textLeaves(schema);
  return leaves.map(([path, wrap], index): WorstBody => {
    const unit = hardTexts[index % hardTexts.length] ?? 'a';
    return [`a long ${path}`, (bytes) => JSON.stringify(wrap(unit.repeat((bytes - 200) / (2 * unit.length))))];
  });
}

type Wrap = (value: unknown) => unknown;

/** Lists every text of a schema: its path, a function that makes a body with this text only, and its own schema. */
export function textLeaves(schema: TSchema, path = '', wrap: Wrap = (value) => value): [string, Wrap, TSchema][] {
  if (schema['x-readOnly'] || schema['x-fixed']) return [];
  if (schema.anyOf) return schema.anyOf.flatMap((each: TSchema) => textLeaves(each, path, wrap));
  if ([schema.type].flat().includes('string') && !schema.properties) return [[path, wrap, schema]];
  if (schema.items) return textLeaves(schema.items, `${path}[]`, (value) => wrap([value]));
  if (schema['x-free']) return [[`${path}.a`, (value) => wrap({ a: value }), schema]];
  const named = Object.entries<TSchema>(schema.properties ?? {});
  return named.flatMap(([key, child]) =>
    textLeaves(child, path === '' ? key : `${path}.${key}`, (value) => wrap({ [key]: value })),
  );
}

/** Makes a body whose lists and free objects are as long as possible within the limits of bytes and values. */
export function largest(schema: TSchema, bytes: number): string {
  for (let length = 1000; ; length = Math.floor(length * 0.7)) {
    const text = JSON.stringify(fullOf(schema, length)) ?? '{}';
    const values = text.split(/[,[{]/).length;
    if ((Buffer.byteLength(text) <= bytes && values < 29_000) || length === 0) return text;
  }
}

function fullOf(schema: TSchema, length: number): unknown {
  if (schema.enum) return schema.enum[0];
  if (schema.default !== undefined) return schema.default;
  if (schema['x-objectId']) return '64b7f0c2a9d3e4f5a6b7c8d9';
  if (schema['x-date']) return '2026-01-31T13:45:00.000Z';
  if (schema.anyOf) return fullOf(schema.anyOf[0], length);
  if (schema['x-free'] || (schema.type === 'object' && !schema.properties)) {
    return Object.fromEntries(Array.from({ length }, (_unused, index) => [name(index), 'value']));
  }
  if (schema.items) {
    return Array.from({ length: Math.min(length, schema.maxItems ?? length) }, () => fullOf(schema.items, length / 50));
  }
  if (schema.properties) {
    const named = Object.entries<TSchema>(schema.properties).filter(
      ([, each]) => !each['x-readOnly'] && !each['x-fixed'],
    );
    return Object.fromEntries(named.map(([key, each]) => [key, fullOf(each, length)]));
  }
  const kind = [schema.type].flat()[0];
  if (kind === 'integer' || kind === 'number') return schema.minimum ?? 1;
  if (kind === 'boolean') return true;
  return 'a'.repeat(Math.min(schema.maxLength ?? 20, 20));
}
