import type { TSchema } from '@sinclair/typebox';
import { actionDefinitions, listMax } from '#engine/rules/actions/list';
import { conditionLimits } from '#engine/rules/check/checkConditions';
import { acceptedKinds, valueTexts } from '#engine/rules/check/operandFault';
import { ruleShape } from '#engine/rules/format/rule';
import { scenarioStepShape } from '#engine/rules/format/scenarioShape';
import { columnForms, tableShape } from '#engine/rules/format/tableShape';
import { amountForms } from '#engine/rules/language/amount';
import { computationLimits, computationWords } from '#engine/rules/language/computation';
import { decorators, operators, regexMax, regexSizeMax } from '#engine/rules/language/operators';
import { lookupLimits, lookupShape } from '#engine/rules/lookup/lookupShape';
import { namedConditionsMax } from '#engine/rules/read/namedConditions';
import { rulesMax } from '#engine/rules/read/orgRuleLimits';
import { lookupCsvLimits } from '#engine/rules/read/tables/csvSource';
import { fileMaxBytes } from '#engine/rules/source/jsonSource';
import { readLimits } from '../files/readFiles';
import { factSections } from './factSections';
import { type FieldRow, fieldRows, grouped, kindText, meaningText, table } from './shapeText';

/** The text of rules/REFERENCE.md: everything that rules may contain, from the catalogues that loading checks with. */
export function ruleReferenceText(): string {
  const sections = [
    intro,
    fields(),
    conditions(),
    factSections(),
    operatorSection(),
    actions(),
    amounts(),
    limits(),
    tables(),
    lookupTables(),
    tests(),
    bounds(),
  ];
  return `${sections.flat().join('\n\n')}\n`;
}

const intro = `# Reference of rules

Made by \`npm run rules -- reference\` from what the service itself checks rules with; do not edit it. [README.md](README.md)
teaches writing a rule.`;

const ownSections = ['limits', 'tests', 'table'];

function fields(): string[] {
  const rows = fieldRows(ruleShape).filter(({ path }) => path[0] !== '$schema');
  return ['## Fields of a rule', 'A file holds one rule, or a list `[ ... ]` of rules.', fieldTable(rows, ownSections)];
}

/** A table of fields with their kind and meaning. The parts of `closed` fields are omitted: they have own sections. */
function fieldTable(rows: readonly FieldRow[], closed: readonly string[] = []): string {
  const open = rows.filter(({ path }) => path.length === 1 || !closed.includes(path[0] ?? ''));
  return table(
    ['field', 'is', 'meaning'],
    open.map(({ path, schema, isRequired }) => [
      `\`${path.join('.')}\``,
      kindText(schema),
      [isRequired ? 'Required' : '', meaningText(schema)].filter(Boolean).join('. '),
    ]),
  );
}

function conditions(): string[] {
  const { countMax, depthMax } = conditionLimits;
  return [
    '## Conditions',
    table(
      ['condition', 'holds when'],
      [
        ['`{ "all": [ ... ] }`', 'all in the list hold; an empty list always does'],
        ['`{ "any": [ ... ] }`', 'one in the list holds'],
        ['`{ "not": { ... } }`', 'the one in it does not'],
        [
          '`{ "fact": ..., "path": ..., "params": ..., "operator": ..., "value": ... }`',
          'the fact, or the part of it that `path` selects, compares so with the value',
        ],
        [
          '`{ "condition": "weekend" }`',
          'the named condition does: `{ "namedCondition": "weekend", "conditions": { ... } }` in any file of the program',
        ],
      ],
    ),
    `The outermost is \`all\`, \`any\`, \`not\` or \`condition\`. \`value\` may be another fact: \`{ "fact": ..., "path": ... }\`. For a
missing value only \`notEqual\`, \`notIn\` and \`isEmpty\` hold. A rule has at most ${countMax} conditions, ${depthMax} levels deep,
named ones counted where they are used; a program has at most ${namedConditionsMax} named conditions.`,
    "A path begins with `$`: `$.value`, `$.lineItems[0].itemSKU`, every element with `$.lineItems[*].itemSKU` (gives a list), other\nnames in quotes: `$.purse['Bonus Points']`. There are no filters, scripts or `..`.",
  ];
}

function operatorSection(): string[] {
  const kinds = ['number', 'text', 'boolean', 'date', 'list', 'object'] as const;
  const rows = Object.entries(operators).map(([name, { description, fact, value }]) => [
    `\`${name}\``,
    description,
    fact === 'any' ? 'any' : acceptedKinds[fact].join(', '),
    valueTexts[value],
  ]);
  const fitting = kinds.map((kind) => {
    const names = Object.entries(operators).filter(([, { fact }]) => acceptedKinds[fact].includes(kind));
    return [kind, names.map(([name]) => `\`${name}\``).join(', ')];
  });
  return [
    '## Operators',
    table(['operator', 'holds when the fact', 'for facts that are', '`value` is'], rows),
    table(['of a', 'there are'], fitting),
    'Before an operator may stand, each followed by a colon (`someFact:startsWith`):',
    table(
      ['word', 'means'],
      Object.entries(decorators).map(([name, text]) => [`\`${name}:\``, text]),
    ),
    `A regular expression is RE2's, which takes time in proportion to the text whatever it says: at most ${regexMax} characters and\n${grouped(regexSizeMax)} steps.`,
  ];
}

function actions(): string[] {
  const sections = Object.entries(actionDefinitions).flatMap(([type, { params }]) => {
    const { type: _type, ...properties }: Record<string, TSchema> = params.properties;
    const rows = fieldRows({ ...params, properties });
    return [`### \`${type}\``, `${params.description}.`, ...(rows.length > 0 ? [fieldTable(rows)] : [])];
  });
  return ['## Actions', 'Each is an object with its `"type"` and these fields.', ...sections];
}

function amounts(): string[] {
  const { multiple, steps } = amountForms;
  return [
    '## Amounts',
    '`points`, and `value` of `addMetric`, are a whole number or one of these. What comes to 0 or less awards nothing; decimal\narithmetic is exact.',
    '`{ "of": { "fact": "activity", "path": "$.value" }, "times": 1.5, "round": "floor" }`: of 120 it is 180.',
    fieldTable(fieldRows(multiple), ['of']),
    '`{ "of": { "fact": "activity", "path": "$.value" }, "every": 25, "points": 10 }`: of 120 it is 40, ten for each full 25.',
    fieldTable(fieldRows(steps), ['of']),
    '`of` may be a computation of at least two operands: `{ "of": { "difference": [{ "fact": "activity", "path": "$.value" }, { "fact":\n"tender", "params": { "filter": { "type": "GiftCard" } } }] } }` is what was not paid with gift cards.',
    table(
      ['computation', 'is'],
      Object.entries(computationWords).map(([word, { description, isPair }]) => [
        `\`{ "${word}": [a, b${isPair ? '' : ', …'}] }\``,
        description,
      ]),
    ),
    `An operand is a number, a fact or another computation: at most ${computationLimits.depthMax} levels and ${computationLimits.operandsMax} operands. A missing fact counts as\n0. The result is rounded once, at the end.`,
  ];
}

function limits(): string[] {
  const shape: TSchema | undefined = ruleShape.properties.limits.items;
  return [
    '## Limits and budget',
    '`"limits": [{ "what": "points", "per": "member", "period": "day", "max": 500, "onExceed": "reduce" }]`',
    fieldTable(shape ? fieldRows(shape) : []),
    '`"budget": { "points": 100000 }` is what the rule awards over its whole life. A cancelled purchase gives limits and budget back.',
  ];
}

function tables(): string[] {
  const { conditionColumn, valueColumn, keyColumn } = columnForms;
  return [
    '## Tables',
    'Each row of `table` makes a rule of its own, with the conditions of its cells beside those of the rule.',
    fieldTable(fieldRows(tableShape), ['columns']),
    'A column that compares:',
    fieldTable(fieldRows(conditionColumn)),
    'A column that replaces a value of the rule:',
    fieldTable(fieldRows(valueColumn)),
    "A column that ends the key of the row's rule:",
    fieldTable(fieldRows(keyColumn)),
  ];
}

function lookupTables(): string[] {
  const { rows, keys, values, cells } = lookupLimits;
  return [
    '## Lookup tables',
    `An entry of a rule file beside rules. At most ${grouped(rows)} rows, ${keys} columns of keys and ${values} of values; the CSV file has at
most ${lookupCsvLimits.bytes / fileMaxBytes} MB and ${grouped(lookupCsvLimits.cells)} cells, and all lookup tables together at most ${grouped(cells)} cells. The fact \`table\` reads a row.`,
    fieldTable(fieldRows(lookupShape)),
  ];
}

function tests(): string[] {
  const shape: TSchema | undefined = ruleShape.properties.tests.items;
  return [
    '## Tests',
    'The rule itself takes part, and those that `fired` and `notFired` name, so that a rule added elsewhere breaks no test.',
    fieldTable(shape ? fieldRows(shape) : [], ['aggregates']),
    'Each of `steps` has one of `activity`, `cancel` and `wait`:',
    fieldTable(fieldRows(scenarioStepShape)),
  ];
}

function bounds(): string[] {
  return [
    '## Bounds of files',
    table(
      ['what', 'at most'],
      [
        ['a file', `${fileMaxBytes / 1_048_576} MB`],
        [
          'all files of an org',
          `${readLimits.totalMaxBytes / 1_048_576} MB, ${grouped(readLimits.filesMax)} files, ${grouped(rulesMax)} rules`,
        ],
        ['actions, limits or tests of a rule', String(listMax)],
      ],
    ),
  ];
}
