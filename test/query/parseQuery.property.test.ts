import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { ServiceError } from '../../src/errors';
import { guardRegex } from '../../src/query/guardRegex';
import { fieldOperators, logicalOperators } from '../../src/query/operators';
import { parseQuery, queryArguments } from '../../src/query/parseQuery';
import { thingFields } from './thing';

/** 2^25 steps take a fraction of a second; a pattern that keeps the engine busy would never end. */
const endlessMs = 20_000;

/** Runs `parse`; all it may do is answer or refuse with 1210. */
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
      fc.property(args, (given) => {
        answersOrRefuses(() => parseQuery(given, thingFields));
      }),
      { numRuns: 3000 },
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
      { numRuns: 3000 },
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
        if (answersOrRefuses(() => guardRegex({ source, options: '', maxLength: 255, where: 'it' })))
          expect(() => new RegExp(source)).not.toThrow();
      }),
      { numRuns: 5000 },
    );
  });

  it('accepts no pattern that a text of a hundred characters can keep busy', () => {
    const atom = fc.constantFrom('a', 'b', '.', '[ab]', '\\w', '(a|b)', '(a|ab)', '(ab|ba)', 'a?', '(ab)?');
    const repeat = fc.constantFrom('', '', '*', '+', '?', '{2}', '{1,3}', '{2,}');
    const simple = fc.tuple(atom, repeat).map(([of, times]) => `${of}${times}`);
    const nested = fc
      .tuple(fc.array(simple, { minLength: 1, maxLength: 3 }), repeat)
      .map(([of, times]) => `(${of.join('')})${times}`);
    const parts = fc.array(fc.oneof(simple, nested), { minLength: 1, maxLength: 5 });
    const pattern = fc.tuple(fc.constantFrom('', '^'), parts).map(([start, all]) => `${start}${all.join('')}c$`);
    fc.assert(
      fc.property(pattern, (source) => {
        if (!answersOrRefuses(() => guardRegex({ source, options: 'i', maxLength: 100, where: 'it' }))) return;
        match(new RegExp(source, 'i'), `${'a'.repeat(50)}${'ab'.repeat(25)}d`);
      }),
      { numRuns: 2000 },
    );
  });
});

/** Matches, or throws after {@link endlessMs}. */
function match(regex: RegExp, text: string): void {
  runInNewContext('regex.test(text)', { regex, text }, { timeout: endlessMs });
}

function dollarsIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([name, child]) => [
    ...(name.startsWith('$') ? [name] : []),
    ...dollarsIn(child),
  ]);
}
