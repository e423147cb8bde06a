import { Binary, Decimal128, ObjectId } from 'bson';
import fc from 'fast-check';
import { writeJson } from '../../src/http/writeJson';

const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium' },
    fc.constantFrom(null, undefined, true, 0, -0, Number.NaN, 1e21),
    fc.string({ unit: 'binary' }),
    fc.date({ noInvalidDate: false }),
    fc.uint8Array({ minLength: 12, maxLength: 12 }).map((bytes) => new ObjectId(bytes)),
    fc.array(tie('value')),
    fc.dictionary(fc.oneof(fc.string(), fc.constant('__proto__')), tie('value')),
  ),
})).value;

test('whatever is answered is written as JSON.stringify would write it', () => {
  fc.assert(fc.property(value, (body) => expect(writeJson(body)).toBe(JSON.stringify(body))));
});

test('what an answer holds twice is written twice', () => {
  const twice = fc.tuple(value, value).map(([shared, other]) => [shared, { shared, other, within: [other] }]);
  fc.assert(fc.property(twice, (body) => expect(writeJson(body)).toBe(JSON.stringify(body))));
});

test.each([
  ['an amount', { amount: Decimal128.fromString('1.50') }],
  ['bytes', [new Binary(Buffer.from('a')), Buffer.from('b')]],
  ['an object of a class', { at: new URL('http://localhost/x') }],
  ['a moment before 1970, written twice', [new Date(-5), new Date(-5)]],
  ['moments that share a place', [new Date(1), new Date(17), new Date(1)]],
])('%s is written as JSON.stringify would write it', (_, body) => {
  expect(writeJson(body)).toBe(JSON.stringify(body));
});
