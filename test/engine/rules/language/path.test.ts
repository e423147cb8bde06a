import fc from 'fast-check';
import { Almanac } from 'json-rules-engine';
import { factAccessor, isPath, resolvePath } from '#engine/rules/language/path';
import { scaled } from '../../../support/scale';

/** The path resolver of json-rules-engine itself: jsonpath-plus with `wrap: false`. */
const reference: (value: unknown, path: string) => unknown = Reflect.get(new Almanac(), 'pathResolver');

const name = fc.constantFrom('a', 'b', 'c-d', 'e_f', '0', 'length', 'constructor', 'toString');
const quoted = fc.constantFrom('a', 'Bonus Points', 'x.y', 'b~c', '7', 'Ärger', 'a"b');
const step = fc.oneof(
  name.map((each) => `.${each}`),
  fc.nat(3).map((each) => `[${each}]`),
  fc.constant('[*]'),
  quoted.map((each) => `['${each}']`),
);
const path = fc.array(step, { maxLength: 5 }).map((steps) => `$${steps.join('')}`);
const key = fc.oneof(name, quoted);
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium' },
    fc.constantFrom<unknown>(null, 0, 1, '', 'text', true, false),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(key, tie('value'), { maxKeys: 4 }),
  ),
})).value;

describe('resolvePath', () => {
  it("selects what json-rules-engine's own resolver selects, for any object and any path rules may use", () => {
    const root = fc.oneof(fc.dictionary(key, json, { maxKeys: 5 }), fc.array(json, { maxLength: 4 }));
    fc.assert(
      fc.property(root, path, (value, text) => {
        expect(isPath(text)).toBe(true);
        expect(resolvePath(value, text)).toEqual(reference(value, text));
      }),
      { numRuns: scaled(2000) },
    );
  });

  it.each([
    ['$', { a: 1 }, { a: 1 }],
    ['$.a', { a: 0 }, 0],
    ['$.a.b', { a: null }, undefined],
    ["$.purse['Bonus Points'].balance", { purse: { 'Bonus Points': { balance: 3 } } }, 3],
    ['$.items[*].price', { items: [{ price: 1 }, {}, { price: 2 }] }, [1, 2]],
    ['$.items[*].price', { items: [{ price: 1 }] }, [1]],
    ['$.items[*].price', { items: [] }, undefined],
    ['$.items[1]', { items: ['x', 'y'] }, 'y'],
  ])('resolves %s', (text, value, expected) => {
    expect(resolvePath(value, text)).toEqual(expected);
  });

  it('reads a quoted name literally, also where jsonpath-plus would run it as code', () => {
    for (const odd of ['*', 'a,b', '^', '?(1==1)', '(1)', '@', '`a', '..', '$', '1:2']) {
      expect(resolvePath({ [odd]: 1, a: 2, b: 3 }, `$['${odd}']`)).toBe(1);
      expect(resolvePath({ a: 2, b: 3 }, `$['${odd}']`)).toBeUndefined();
    }
  });

  it('reads own properties only', () => {
    expect(resolvePath({}, '$.__proto__')).toBeUndefined();
    expect(resolvePath({}, '$.constructor.name')).toBeUndefined();
  });

  it.each(['value', '$..a', '$.a[?(@.b)]', '$.a[-1]', "$['']", '$.', '$.a b', '$[(@.length-1)]', "$['a']'"])(
    'refuses %s',
    (text) => {
      expect(isPath(text)).toBe(false);
    },
  );
});

describe('factAccessor', () => {
  it.each<[string | undefined, unknown, unknown]>([
    [undefined, { a: 1 }, { a: 1 }],
    ['$.a', { a: 1 }, 1],
    ['$.a', {}, undefined],
    ['$[0]', ['x'], 'x'],
    ['$.a', 5, 5],
    ['$.length', 'text', 'text'],
    ['$.a', null, null],
    ['$.a', undefined, undefined],
  ])('at %p, reads of %p the part %p: the whole of what is no object', (text, fact, expected) => {
    expect(factAccessor(text)(fact)).toEqual(expected);
  });
});
