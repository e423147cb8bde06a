import { type FactDefinition, factsOf } from '../../rules/format/facts';
import type { FactParams } from '../../rules/language/factParams';
import { fieldRows, kindText, table } from './shapeText';

/** Placeholders for names that a program chooses. */
const placeholders = {
  ...{ purses: ['<purse>'], tiers: [{ name: '<policy>', levels: [] }] },
  ...{ segments: [], metrics: [], namedLists: [] },
};

/** The sections about facts: a table of all facts, tables of their params, and tables of their parts. */
export function factSections(): string[] {
  const facts = Object.entries(factsOf(placeholders));
  const rows = facts.map(([name, fact]) => [`\`${name}\``, typeText(name, fact), fact.description]);
  const namesByTable = new Map<string, string[]>();
  for (const [name, fact] of facts) {
    const text = fact.params && paramTable(fact.params);
    if (text) namesByTable.set(text, [...(namesByTable.get(text) ?? []), `\`${name}\``]);
  }
  const withParts = facts.filter(([, fact]) => hasParts(fact));
  return [
    '## Facts',
    table(['fact', 'is', 'meaning'], rows),
    ...[...namesByTable].flatMap(([text, names]) => [`### Params of ${names.join(' and ')}`, text]),
    ...withParts.flatMap(([name, fact]) => [`### Parts of \`${name}\``, partTable(fact)]),
  ];
}

function hasParts({ shape }: FactDefinition): boolean {
  return shape.properties !== undefined;
}

function typeText(name: string, fact: FactDefinition): string {
  return hasParts(fact) ? `object, [its parts](#parts-of-${name.toLowerCase()})` : kindText(fact.shape);
}

function paramTable({ shape }: FactParams): string {
  return table(
    ['param', 'is', 'meaning'],
    fieldRows(shape)
      .filter(({ schema }) => !schema['x-readOnly'])
      .map(({ path, schema }) => [`\`${path.join('.')}\``, kindText(schema), schema.description ?? '']),
  );
}

function partTable({ shape }: FactDefinition): string {
  return table(
    ['path', 'is', 'meaning'],
    fieldRows(shape).map(({ path, schema }) => [`\`$.${path.join('.')}\``, kindText(schema), schema.description ?? '']),
  );
}
