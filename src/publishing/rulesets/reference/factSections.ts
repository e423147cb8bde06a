import type { FactDefinition } from '#engine/rules/format/factDefinition';
import { factDefinitions } from '#engine/rules/format/facts';
import type { FactParams } from '#engine/rules/language/factParams';
import { windowForms } from '#engine/rules/language/metricPeriod';
import { fieldRows, kindText, meaningText, table } from './shapeText';

/** Placeholders for names that a program chooses. */
const placeholders = {
  purses: ['<purse>'],
  tiers: [{ name: '<policy>', levels: [] }],
  segments: [],
  metrics: [],
  namedLists: [],
  lookupTables: [],
};

/** The sections about facts: a table of all facts, tables of their params, and tables of their parts. */
export function factSections(): string[] {
  const facts = Object.entries(factDefinitions(placeholders));
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
    ...windows(),
    ...withParts.flatMap(([name, fact]) => [`### Parts of \`${name}\``, partTable(fact)]),
  ];
}

/** The section about periods that are not of the calendar. */
function windows(): string[] {
  const { rolling, memberYear, betweenDates } = windowForms;
  const rows = [rolling, memberYear, betweenDates].flatMap((form) =>
    fieldRows(form).map(({ path, schema }) => [`\`${path.join('.')}\``, kindText(schema), meaningText(schema)]),
  );
  return [
    '### Windows',
    'Periods besides those of the calendar: `{"last": 7, "unit": "day"}`, `{"year": "enrolment"}`, `{"year": {"tier": "<policy>"}}` and `{"from": "2026-10-01", "to": "2026-12-31"}`.',
    table(['field', 'is', 'meaning'], rows),
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
