import { RE2JS } from 're2js';
import type { ExtField } from '#programs/extensions/extField';
import { makeExtDefinitions } from '#programs/extensions/makeExtDefinitions';

const field = (fields: Partial<ExtField>): ExtField => ({
  field: 'a',
  type: 'string',
  required: false,
  values: new Set<string>(),
  ...fields,
});
const check = (fields: Partial<ExtField>, ext: Record<string, unknown> | undefined, isNew = true) =>
  makeExtDefinitions(new Map([['Thing', [field(fields)]]])).check('Thing', ext, { isNew, localOffsetMinutes: 60 });

test.each<[string, Partial<ExtField>, unknown]>([
  ['text', {}, 'x'],
  ['a text as long as may be', { min: 1, max: 2 }, '🙂🙂'],
  ['a text that matches', { pattern: RE2JS.compile('^a+$') }, 'aa'],
  ['a whole number', { type: 'integer', min: 1, max: 3 }, 3],
  ['a number', { type: 'number', min: 1, max: 3 }, 1.5],
  ['a boolean', { type: 'boolean' }, false],
  ['a word', { type: 'enum', values: new Set(['red']) }, 'red'],
])('a value of %s is accepted', (_, fields, value) => {
  expect(check(fields, { a: value })).toEqual({ ext: { a: value }, faults: [] });
});

test.each([
  ['2026-01-31T12:00:00.000Z', '2026-01-31T12:00:00.000Z'],
  ['2026-01-31T12:00:00+0200', '2026-01-31T10:00:00.000Z'],
  ['2026-01-31 12:00:00.000', '2026-01-31T11:00:00.000Z'],
])('the date %s is kept as UTC text', (sent, kept) => {
  expect(check({ type: 'date' }, { a: sent })).toEqual({ ext: { a: kept }, faults: [] });
});

test.each<[Partial<ExtField>, unknown, string]>([
  [{}, 3, 'type'],
  [{ required: true }, null, 'required'],
  [{ min: 2 }, 'a', 'minLength'],
  [{ max: 2 }, 'abc', 'maxLength'],
  [{ pattern: RE2JS.compile('^a+$') }, 'ab', 'pattern'],
  [{ type: 'integer' }, 1.5, 'type'],
  [{ type: 'integer' }, '1', 'type'],
  [{ type: 'integer' }, 2 ** 53, 'type'],
  [{ type: 'integer', min: 1 }, 0, 'minimum'],
  [{ type: 'number', max: 1 }, 1.1, 'maximum'],
  [{ type: 'number' }, '1', 'type'],
  [{ type: 'boolean' }, 'true', 'type'],
  [{ type: 'date' }, '2026-02-30T00:00:00.000Z', 'date'],
  [{ type: 'date' }, 0, 'type'],
  [{ type: 'enum', values: new Set(['red']) }, 'blue', 'enum'],
  [{ type: 'enum' }, ['red'], 'type'],
])('the definition %j refuses %j (%s)', (fields, value, kind) => {
  expect(check(fields, { a: value }).faults).toMatchObject([{ path: 'ext.a', kind }]);
});

test('a required field must be there in a new record, and in every ext that is sent', () => {
  const required = { path: 'ext.a', kind: 'required' };
  expect(check({ required: true }, undefined).faults).toMatchObject([required]);
  expect(check({ required: true }, {}, false).faults).toMatchObject([required]);
  expect(check({ required: true }, undefined, false).faults).toEqual([]);
});

test('a defined field that is null counts as absent', () => {
  expect(check({ type: 'date' }, { a: null })).toEqual({ ext: {}, faults: [] });
});

test('undefined fields are refused where the model has definitions, and else accepted', () => {
  const definitions = makeExtDefinitions(new Map([['Thing', [field({})]]]));
  expect(definitions.check('Thing', { b: 1 }, { isNew: true }).faults).toMatchObject([
    { path: 'ext.b', kind: 'additionalProperties' },
  ]);
  expect(definitions.check('Other', { b: 1 }, { isNew: true })).toEqual({ ext: { b: 1 }, faults: [] });
});
