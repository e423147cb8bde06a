import fc from 'fast-check';
import { ServiceError } from '#base/common/errors';
import { fieldOperators, logicalOperators } from '#base/query/operators';
import { parseQuery, queryArguments } from '#base/query/parseQuery';
import { guardRegex } from '#base/query/regex/guardRegex';
import { scaled } from '../../support/scale';
import { thingFields } from './thing';

/** Runs `parse`, which may only return or refuse with 1210. */
function answersOrRefuses(parse: () => unknown): boolean {
  try {
    parse();
    return true;
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 1210) throw error;
    return false;
  }
}

const key = fc.oneof(
  fc.constantFrom(...Object.keys(fieldOperators), ...logicalOperators, '$where', '$expr', '$', '__proto__', '', 'a\0'),
  fc.constantFrom(
    'name',
    'size',
    'tags',
    'parts',
    'parts.count',
    'ext',
    'ext.a',
    'any',
    'secret',
    'constructor',
    'toString',
  ),
  fc.string(),
);
const scalar = fc.oneof(fc.string(), fc.double(), fc.integer(), fc.boolean(), fc.constant(null), fc.constant('(a+)+$'));
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { depthSize: 'medium', maxDepth: 8 },
    scalar,
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.array(fc.tuple(key, tie('tree')), { maxLength: 4 }).map((entries) => Object.fromEntries(entries)),
  ),
}));

describe('the parser', () => {
  it('answers or refuses whatever text an argument holds', () => {
    const name = fc.oneof(fc.constantFrom(...queryArguments, 'name', 'size', 'ext.a'), fc.string());
    const args = fc.dictionary(name, fc.oneof(fc.string(), fc.json(), fc.constantFrom('name', '-size', '~a', '>1')));
    fc.assert(
      fc.property(args, (input) => {
        answersOrRefuses(() => parseQuery(input, thingFields));
      }),
      { numRuns: scaled(1000) },
    );
  });

  it('answers or refuses whatever JSON a query holds, and lets through only operators of the tables', () => {
    const allowed = new Set([...Object.keys(fieldOperators), ...logicalOperators]);
    fc.assert(
      fc.property(tree, (json) => {
        let filter: unknown = {};
        answersOrRefuses(() => {
          filter = parseQuery({ query: JSON.stringify(json) }, thingFields).filter;
        });
        expect(dollarsIn(filter).filter((name) => !allowed.has(name))).toEqual([]);
      }),
      { numRuns: scaled(1000) },
    );
  });

  it('refuses or accepts every pattern, and accepts only what is a regular expression', () => {
    const piece = fc.constantFrom(
      'a',
      'b',
      '(',
      ')',
      '|',
      '*',
      '+',
      '?',
      '{2}',
      '{1,3}',
      '[ab]',
      '\\w',
      '.',
      '^',
      '$',
      '[^',
      ']',
      '\\',
      '?:',
    );
    const pattern = fc.oneof(
      fc.string({ maxLength: 300 }),
      fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join('')),
    );
    fc.assert(
      fc.property(pattern, (source) => {
        if (answersOrRefuses(() => guardRegex({ source, options: '', texts: { length: 255, count: 1 }, where: 'it' })))
          expect(() => new RegExp(source)).not.toThrow();
      }),
      { numRuns: scaled(2000) },
    );
  });
});

function dollarsIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([name, child]) => [
    ...(name.startsWith('$') ? [name] : []),
    ...dollarsIn(child),
  ]);
}
