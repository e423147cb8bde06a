import fc from 'fast-check';
import { parseOrFaults } from '#base/schema/parse';
import { proposedPaths } from '#engine/rules/editor/factPaths';
import { noNames } from '#engine/rules/format/factDefinition';
import { factDefinitions } from '#engine/rules/format/facts';
import { typeOfRef } from '#engine/rules/format/factType';
import { isPath, resolvePath } from '#engine/rules/language/path';
import { pursePolicyResource } from '#records/programs/pursePolicy';
import { scaled } from '../../../support/scale';

const program = '6650a1b2c3d4e5f6a7b8c9d0';

/** Whether the API accepts a name of a purse. */
function isAccepted(name: string): boolean {
  return !('faults' in parseOrFaults(() => pursePolicyResource.parseCreate({ name, program })));
}

const odd = [
  "it's",
  'x]y',
  "']",
  "''",
  "'",
  '[',
  '$',
  '.',
  '..',
  '*',
  '0',
  '-',
  '`',
  '\\',
  '"',
  'a,b',
  '?(1)',
  '@',
  '^',
];
const names = fc.oneof(
  fc.constantFrom(
    ...odd,
    ...odd.map((each) => `${each}Bonus${each}`),
    '__proto__',
    'constructor',
    'length',
    'Ärger',
    '😀',
  ),
  fc.string({ unit: fc.constantFrom("'", ']', '[', '\\', '.', 'a', ' ', 'é', '😀'), minLength: 1, maxLength: 100 }),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
);

/** Reads what a text of a path names, by a machine of its own: the steps are read one by one. */
function nameAt(path: string, before: string): string {
  const step = path.slice(before.length);
  return step.startsWith('.') ? step.slice(1) : step.slice(2, -2).split("''").join("'");
}

it.each(['purse', 'tier'] as const)('every name of a %s that the API accepts can be named by a path', (kind) => {
  fc.assert(
    fc.property(names, (name) => {
      if (!isAccepted(name)) return;
      const facts = factDefinitions({ ...noNames, purses: [name], tiers: [{ name, levels: [] }] });
      const shape = facts.member?.shape.properties[kind];
      const [, path = ''] = proposedPaths(shape, `$.${kind}`);
      expect(isPath(path)).toBe(true);
      expect(typeOfRef(facts, { fact: 'member', path })).toHaveProperty('kind');
      expect(resolvePath({ [kind]: Object.fromEntries([[name, 'here']]) }, path)).toBe('here');
      expect(nameAt(path, `$.${kind}`)).toBe(name);
    }),
    { numRuns: scaled(500) },
  );
});

it('a path of an earlier version keeps its meaning', () => {
  for (const [path, value] of [
    ["$['a\\b']", { 'a\\b': 1 }],
    ["$['Bonus Points'].x", { 'Bonus Points': { x: 1 } }],
    ["$['x.y']", { 'x.y': 1 }],
  ] as const)
    expect(resolvePath(value, path)).toBe(1);
  for (const path of ["$['']", "$[''']", "$['a'b']", "$['a", '$.a b', '$[a]']) expect(isPath(path)).toBe(false);
});
