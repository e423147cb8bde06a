import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fc, test as property } from '@fast-check/jest';
import { ObjectId } from 'bson';
import { ruleJsonSchema } from '../../src/engine/rules/editor/ruleJsonSchema';
import { ruleActivityTypes } from '../../src/records/activities/activity';
import { csvTable, csvText } from '../src/csv/csv';
import { parsedRule } from '../src/rules/draft/parsedRule';
import { fileTextOf, placeInRule, type RuleText, ruleTextOf, withChange } from '../src/rules/draft/ruleText';
import { amountKind } from '../src/rules/schema/amountKind';
import { conditionsOf, queryOf } from '../src/rules/schema/conditionQuery';
import { type FieldShape, shapeOf } from '../src/rules/schema/fieldShape';
import type { RuleSchema } from '../src/rules/schema/knownFacts';
import { ownActivityTypes } from '../src/rules/schema/ownActivityTypes';
import { cellText, cellValue } from '../src/rules/table/tableRows';

const root = path.resolve(__dirname, '../..');

type Fields = Record<string, unknown>;

/** Every rule of the repository: its file and key. */
const rules = ['rules', 'examples']
  .flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
      path.join(root, folder, name),
    ),
  )
  .filter((name) => name.endsWith('.json') && /rules\/[^/]+\/[^/]+\.json$/.test(name))
  .flatMap((name) => {
    const text = readFileSync(name, 'utf8');
    const entries = [JSON.parse(text)].flat() as Fields[];
    return entries.flatMap(({ key }) => (typeof key === 'string' ? [{ name, text, key }] : []));
  });

const found = ({ text, key }: { text: string; key: string }): RuleText => {
  const rule = ruleTextOf(text, key);
  if (!rule) throw new Error(`no rule ${key}`);
  return rule;
};

test('the demo and the examples have rules to try', () => expect(rules.length).toBeGreaterThan(50));

describe.each(rules.map((rule) => [`${path.relative(root, rule.name)} ${rule.key}`, rule] as const))(
  '%s',
  (_name, original) => {
    test('keeps its text when it is taken out of its file and put back', () => {
      expect(fileTextOf(found(original))).toBe(original.text);
    });

    test('keeps its conditions when the query builder shows them', () => {
      const { conditions } = JSON.parse(found(original).text) as Fields;
      const query = queryOf(conditions);
      expect(query && conditionsOf(query)).toEqual(conditions ?? { all: [] });
    });

    test('loses nothing when every field is written again by the form', () => {
      const { text } = found(original);
      const rule = JSON.parse(text) as Fields;
      const again = Object.entries(rule).reduce((now, [name, value]) => withChange(now, { path: [name], value }), text);
      expect(JSON.parse(again)).toEqual(rule);
    });

    test('keeps all other fields when one is changed', () => {
      const { text } = found(original);
      const changed = withChange(text, { path: ['priority'], value: 77 });
      expect(JSON.parse(changed)).toEqual({ ...(JSON.parse(text) as Fields), priority: 77 });
      expect(Object.keys(JSON.parse(withChange(changed, { path: ['priority'], value: undefined })))).not.toContain(
        'priority',
      );
    });
  },
);

const leaf = fc.record(
  {
    fact: fc.constantFrom('activity', 'member', 'hour'),
    path: fc.constantFrom('$.value', "$.ext['a b']"),
    params: fc.object({ maxDepth: 1 }),
    operator: fc.constantFrom('equal', 'in', 'not:in'),
    value: fc.jsonValue(),
    name: fc.string(),
    priority: fc.nat(),
  },
  { requiredKeys: ['fact', 'operator', 'value'] },
);
const { condition } = fc.letrec((tie) => ({
  condition: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc.record({ condition: fc.string({ minLength: 1 }) }),
    fc.record({ all: fc.array(tie('condition'), { maxLength: 3 }), name: fc.string() }, { requiredKeys: ['all'] }),
    fc.record({ any: fc.array(tie('condition'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ not: tie('condition'), priority: fc.nat() }, { requiredKeys: ['not'] }),
  ),
}));

property.prop([condition])('any conditions stay unchanged when the query builder shows them', (conditions) => {
  const plain: unknown = JSON.parse(JSON.stringify(conditions));
  const query = queryOf(plain);
  expect(query && conditionsOf(query)).toEqual(plain);
});

property.prop([fc.array(fc.array(fc.string(), { minLength: 2, maxLength: 2 }), { maxLength: 5 })])(
  'a table stays unchanged when it is written and read',
  (rows) => {
    const columns = ['from', 'to'];
    expect(csvTable(csvText({ columns, rows }))).toEqual({ columns, rows });
  },
);

/** Texts of the same list: on one line, on several, and as people write short ones. */
const layouts = [
  (list: unknown) => JSON.stringify(list),
  (list: unknown) => JSON.stringify(list, null, 2),
  (list: unknown) => JSON.stringify(list).replaceAll(',', ', ').replaceAll('{', '{ ').replaceAll('}', ' }'),
  (list: unknown) => JSON.stringify(list, null, '\t').replaceAll('\n', '\r\n'),
];

property.prop([
  fc.array(fc.record({ a: fc.nat(), b: fc.constantFrom('x', 'y') }), { minLength: 1, maxLength: 5 }),
  fc.nat(),
  fc.constantFrom(...layouts),
])('any item of a list can be removed, however the list is laid out', (list, drawn, layout) => {
  const index = drawn % list.length;
  const text = `{"actions": ${layout(list)}, "limits": ${layout([[...list]])}}`;
  const left = list.filter((_item, place) => place !== index);
  expect(JSON.parse(withChange(text, { path: ['actions', index], value: undefined }))).toEqual({
    actions: left,
    limits: [list],
  });
  expect(JSON.parse(withChange(text, { path: ['limits', 0, index], value: undefined }))).toEqual({
    actions: list,
    limits: [left],
  });
});

test.each([
  ['commas', 'from,to\na,b;c\n"d,e",f\n'],
  ['semicolons and a byte order mark', '\uFEFFfrom;to\r\na;"b;c"\r\nd,e;f'],
  ['a line that names the delimiter', 'sep=;\r\n\nfrom;to\r\na;"b;c"\r\nd,e;f'],
  ['mixed ends of lines, and columns without a name', ',,,\nfrom,to,,\ra,b;c,,\r\n"d,e",f\n'],
])('a file with %s is shown as a table', (_what, text) => {
  const rows = [
    ['a', 'b;c'],
    ['d,e', 'f'],
  ];
  expect(csvTable(text)).toEqual({ columns: ['from', 'to'], rows });
});

test.each(['1e3', '1.000', '1.0', '007', '5e0'])(
  '%s in a table stays a text, which is a fault where a number is needed',
  (text) => {
    expect(cellValue(text)).toBe(text);
    expect(cellText(text)).toBe(text);
  },
);

property.prop([fc.oneof(fc.string({ minLength: 1 }), fc.integer(), fc.boolean(), fc.jsonValue())])(
  'a cell stays unchanged when it is shown as a text',
  (cell) => {
    const plain: unknown = JSON.parse(JSON.stringify(cell));
    if (plain !== '') expect(cellValue(cellText(plain))).toEqual(plain);
  },
);

test.each([
  [undefined, 'fixed'],
  [10, 'fixed'],
  [{ of: { fact: 'activity', path: '$.value' }, times: 2, max: 9 }, 'multiple'],
  [{ of: { fact: 'activity', path: '$.value' }, every: 10, points: 1 }, 'steps'],
  [{ of: { sum: [1, 2] } }, 'json'],
  [{ of: { fact: 'activity' }, times: { fact: 'hour' } }, 'json'],
  [{ of: { fact: 'activity' }, later: 1 }, 'json'],
])('the amount %j is shown as %s', (amount, kind) => {
  expect(amountKind(amount)).toBe(kind);
});

test('a fault of the file is shown at its place in the text of the rule', () => {
  const file = '[\n  {"key": "a"},\n  {\n    "key": "b",\n    "name": 1\n  }\n]';
  const rule = found({ text: file, key: 'b' });
  expect(rule.text).toBe('{\n  "key": "b",\n  "name": 1\n}');
  expect(placeInRule(rule, { line: 5, column: 5 })).toEqual({ line: 3, column: 3 });
  expect(placeInRule(rule, { line: 2, column: 3 })).toBeUndefined();
});

test('a text that is no JSON is reported as such and is no rule', () => {
  expect(parsedRule('{"key": }')).toMatchObject({ fault: expect.any(String) });
  expect(parsedRule('[]')).toMatchObject({ fault: 'NoObject' });
});

/** The values of each field of a shape, and those of them that are said in words. */
function labelsIn(
  shape: FieldShape,
  at = '',
): Record<string, { values: readonly string[]; labelled: readonly string[] }> {
  if (shape.kind === 'list' || shape.kind === 'record') return labelsIn(shape.item, `${at}[]`);
  if (shape.kind === 'object') {
    return Object.assign({}, ...shape.fields.map((each) => labelsIn(each.shape, `${at}.${each.name}`)));
  }
  return 'labelled' in shape ? { [at]: { values: shape.values, labelled: shape.labelled } } : {};
}

test('words of the service have labels; names that an org chose are shown as they are written', () => {
  const levels = ['first', 'goldPlus'].map((name, number) => ({ name, number }));
  const program = { _id: new ObjectId(), code: 'p', timezone: 'UTC', purses: [], offers: [], rewards: [] };
  const schema = ruleJsonSchema({
    programs: [{ ...program, tiers: [{ name: 'club', levels }] }],
    segments: ['active', 'vipGold'],
    activityTypes: [...ruleActivityTypes, 'amount'],
    metrics: [],
  }) as unknown as RuleSchema;
  const found = labelsIn(shapeOf(schema.$defs.rule, schema, 'rule'));
  const [tierNames, segmentNames] = [
    ['first', 'goldPlus'],
    ['active', 'vipGold'],
  ];
  expect(found).toMatchObject({
    '.segments': { values: segmentNames, labelled: [] },
    '.schedule.segment': { values: segmentNames, labelled: [] },
    '.tests[].member.segments': { values: segmentNames, labelled: [] },
    '.tiers': { values: tierNames, labelled: [] },
    '.tests[].member.tier.club': { values: tierNames, labelled: [] },
    '.activityTypes': { values: [...ruleActivityTypes, 'amount'], labelled: ruleActivityTypes },
    '.status': { labelled: ['draft', 'active', 'paused'] },
    '.pick': { labelled: expect.arrayContaining(['all', 'first']) },
  });
  expect(ownActivityTypes).toEqual(ruleActivityTypes);
});
