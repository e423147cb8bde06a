import { Type } from '@sinclair/typebox';
import { byName, computedField, freeObject, instant, list, objectId, readOnlyField, record } from '#base/schema/atoms';
import { compileWithoutNulls } from '#base/schema/nulls';
import { isSame, withoutReadOnly } from '#base/schema/roundTrip';

const id = '64b7f0c2a9d3e4f5a6b7c8d9';
const inner = record({ at: Type.Optional(instant()), count: computedField() });
const shape = record({
  id: Type.Optional(objectId()),
  inner: Type.Optional(inner),
  many: Type.Optional(list(inner)),
  named: Type.Optional(byName(inner, 9)),
  free: Type.Optional(freeObject()),
  locked: Type.Optional(Type.Array(objectId())),
});
const body = record({ ...shape.properties, locked: readOnlyField(), hidden: readOnlyField() });

test.each([
  [{ id: id.toUpperCase() }, { id }, true],
  [{ id }, { id: id.replace('6', '7') }, false],
  [{ inner: { at: '2026-01-31T12:00:00+01:00' } }, { inner: { at: '2026-01-31T11:00:00.000Z' } }, true],
  [{ inner: { at: '2026-01-31 11:00:00.000' } }, { inner: { at: '2026-01-31T11:00:00.001Z' } }, false],
  [{ inner: { at: 'never' } }, { inner: { at: '2026-01-31T11:00:00.000Z' } }, false],
  [{ inner: { at: null } }, { inner: {} }, true],
  [{ inner: null }, {}, true],
  [{ inner: {} }, {}, false],
  [{ many: [{ at: null }] }, { many: [{}] }, true],
  [{ many: [{}, {}] }, { many: [{}] }, false],
  [{ named: { a: { at: '01/31/2026 11:00:00' } } }, { named: { a: { at: '2026-01-31T11:00:00.000Z' } } }, true],
  [{ free: { a: 1, b: [null] } }, { free: { b: [null], a: 1 } }, true],
  [{ free: { a: null } }, { free: {} }, false],
  [{ free: { a: id.toUpperCase() } }, { free: { a: id } }, false],
  [{ unknown: 1 }, {}, false],
])('%j sent back for %j is unchanged: %p', (sent, shown, expected) => {
  expect(isSame(shape, sent, shown)).toBe(expected);
});

test.each([
  [{ locked: [id.toUpperCase()], id }, { locked: [id] }, { id }],
  [{ locked: [] }, { locked: [id] }, { locked: [] }],
  [{ locked: null }, { locked: [id] }, { locked: null }],
  [{ locked: null }, {}, {}],
  [{ hidden: null }, { hidden: null }, { hidden: null }],
  [{ inner: { at: 'x', count: 1 } }, { inner: { count: 1 } }, { inner: { at: 'x' } }],
  [{ inner: { count: 2 } }, { inner: { count: 1 } }, { inner: { count: 2 } }],
  [{ many: [{ count: 1 }, { count: 2 }] }, { many: [{ count: 1 }] }, { many: [{}, { count: 2 }] }],
  [
    { named: { a: { count: 1 }, b: { count: 1 } } },
    { named: { a: { count: 1 } } },
    { named: { a: {}, b: { count: 1 } } },
  ],
  [[1], {}, [1]],
  ['text', {}, 'text'],
])('the schema checks of %j, sent back for %j, only %j', (sent, shown, left) => {
  expect(withoutReadOnly({ body, answer: shape }, sent, shown)).toEqual(left);
});

test.each([
  [{ id: null, unknown: null }, { unknown: null }],
  [{ inner: { at: null, count: null }, locked: null }, { inner: {} }],
  [{ many: [null, { at: null }] }, { many: [null, {}] }],
  [{ named: { a: null, b: { at: null } } }, { named: { b: {} } }],
  [{ free: { a: null } }, { free: { a: null } }],
  [null, null],
])('%j without nulls is %j', (sent, left) => {
  expect(compileWithoutNulls(body)(sent)).toEqual(left);
});

test('a value without nulls is not copied', () => {
  const sent = { inner: { at: 'x' }, many: [{}] };
  expect(compileWithoutNulls(body)(sent)).toBe(sent);
});
