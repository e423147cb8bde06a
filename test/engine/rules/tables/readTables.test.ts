import { ObjectId } from 'bson';
import { explainMatches } from '#engine/rules/explain/explainMatches';
import { explainRule } from '#engine/rules/explain/explainRule';
import { readRules } from '#engine/rules/read/readRules';
import type { RuleFile } from '#engine/rules/source/ruleSource';
import { tableDefinitions } from './tableDefinitions';

/** A rule with a table by category and value. */
const rule = {
  key: 'bonus',
  name: 'Bonus',
  activityTypes: ['Accrual'],
  perLine: true,
  priority: 5,
  conditions: { all: [{ fact: 'activity', path: '$.srcChannelType', operator: 'equal', value: 'POS' }] },
  actions: [{ type: 'addPoints', purse: 'Points', points: 1 }],
  table: {
    columns: {
      category: { fact: 'product', path: '$.category', operator: 'equal' },
      from: { fact: 'activity', path: '$.value', operator: 'greaterThanInclusive' },
      points: { set: '$.actions[0].points' },
      until: { set: '$.effective.to' },
    },
    csv: 'bonus.csv',
  },
};
const csv = ['category,from,points,until', 'Coffee,10,5,', '"Tea, green",,7,2027-01-01T00:00:00Z', ''].join('\r\n');

const asFile = (content: unknown, path = 'demo/bonus.json'): RuleFile => ({
  path,
  text: JSON.stringify(content, null, 1),
});
const read = (content: unknown, table?: string) =>
  readRules(
    [asFile(content), ...(table === undefined ? [] : [{ path: 'demo/bonus.csv', text: table }])],
    tableDefinitions,
  );

/** Faults as `file:line:column message`. */
async function faultsOf(content: unknown, table?: string): Promise<string[]> {
  const { errors } = await read(content, table);
  return errors.map(({ file, line, column, message }) => `${file.slice(5)}:${line}:${column} ${message}`);
}

/** A rule with an inline table of these columns and rows. */
function inline(columns: Record<string, unknown>, rows: unknown, changes: Record<string, unknown> = {}) {
  return { ...rule, conditions: { all: [] }, table: { columns, rows }, ...changes };
}
const channel = { fact: 'activity', path: '$.srcChannelType', operator: 'equal' };
const points = { set: '$.actions[0].points' };

describe('a table', () => {
  it('has its tests once, with the rule of its first row', async () => {
    const tests = [{ name: 'coffee', activity: { type: 'Accrual', value: 1 }, expect: { fired: [] } }];
    const { rules, errors } = await read({ ...rule, tests }, csv);
    expect(errors).toEqual([]);
    expect(rules.map((each) => each.tests?.length)).toEqual([1, undefined]);
  });

  it('becomes one rule per row, whose cells are conditions or values, and empty cells neither', async () => {
    const { rules, errors, warnings } = await read(rule, csv);
    expect([errors, warnings]).toEqual([[], []]);
    const pos = rule.conditions.all[0];
    expect(rules).toMatchObject([
      {
        name: 'Bonus: Coffee, 10',
        file: 'demo/bonus.json',
        position: 0,
        priority: 5,
        conditions: {
          all: [
            pos,
            { fact: 'product', path: '$.category', operator: 'equal', value: 'Coffee' },
            { fact: 'activity', path: '$.value', operator: 'greaterThanInclusive', value: 10 },
          ],
        },
        actions: [{ points: 5 }],
        row: { table: 'bonus', file: 'demo/bonus.csv', line: 2 },
      },
      {
        name: 'Bonus: Tea, green',
        position: 1,
        conditions: { all: [pos, { value: 'Tea, green' }] },
        actions: [{ points: 7 }],
        effective: { to: new Date('2027-01-01') },
        row: { table: 'bonus', file: 'demo/bonus.csv', line: 3 },
      },
    ]);
    for (const each of rules) expect(each).not.toHaveProperty('table');
  });

  it('may have its rows in the rule file, with the line of each', async () => {
    const { rules, errors } = await read(
      inline({ channel, points }, [{ channel: 'Web', points: 3 }, { channel: null }]),
    );
    expect(errors).toEqual([]);
    expect(rules.map(({ name, conditions, row }) => [name, conditions, row?.file, row?.line])).toEqual([
      ['Bonus: Web', { all: [{ ...channel, value: 'Web' }] }, 'demo/bonus.json', expect.any(Number)],
      ['Bonus: any', { all: [] }, 'demo/bonus.json', expect.any(Number)],
    ]);
    const [first, second] = rules;
    expect(second?.row?.line).toBe((first?.row?.line ?? 0) + 4);
  });

  it('keeps the key of a row whatever its position and values', async () => {
    const before = await read(rule, csv);
    const moved = 'points,until,from,category\n70,,,"Tea, green"\n50,,10,Coffee\n';
    const after = await read(rule, moved);
    const keys = before.rules.map(({ key }) => key);
    expect(after.rules.map(({ key }) => key)).toEqual([...keys].reverse());
    for (const key of keys) expect(key).toMatch(/^bonus-[0-9a-f]{10}$/);
  });

  it('reads keys from a column, so that conditions may change', async () => {
    const columns = { id: { key: true }, channel, points };
    const { rules } = await read(
      inline(columns, [
        { id: 'web', channel: 'Web' },
        { id: 'pos', channel: 'POS' },
      ]),
    );
    expect(rules.map(({ key }) => key)).toEqual(['bonus-web', 'bonus-pos']);
  });

  it('joins conditions other than an "all" with those of the cells', async () => {
    const any = { any: [{ fact: 'hour', operator: 'lessThan', value: 12 }] };
    const { rules } = await read(inline({ channel }, [{ channel: 'Web' }], { conditions: any }));
    expect(rules[0]?.conditions).toEqual({ all: [any, { ...channel, value: 'Web' }] });
  });

  it('reads lists, numbers, true and dates from the texts of a CSV file by what they are compared with', async () => {
    const columns = {
      channels: { ...channel, operator: 'in' },
      hours: { fact: 'hour', operator: 'between' },
      birthday: { fact: 'isBirthday', operator: 'equal' },
      since: { fact: 'activity', path: '$.date', operator: 'after' },
      skus: { fact: 'activity', path: '$.lineItems[*].itemSKU', operator: 'someFact:in' },
      shop: { fact: 'activity', path: '$.ext.shop', operator: 'equal', type: 'text' },
      code: { fact: 'activity', path: '$.ext.code', operator: 'equal' },
      size: { fact: 'activity', path: '$.ext.size', operator: 'equal', type: 'number' },
      tiers: { set: '$.tiers' },
    };
    const lines =
      'channels,hours,birthday,since,skus,shop,code,size,tiers\nWeb | POS,8|12,true,2026-01-01,1|2,12,007,12,Gold|Basic';
    const { rules, errors } = await read({ ...rule, perLine: false, table: { columns, csv: 'bonus.csv' } }, lines);
    expect(errors).toEqual([]);
    const [, ...requested] = 'all' in (rules[0]?.conditions ?? {}) ? Object(rules[0]?.conditions).all : [];
    expect(requested.map(({ value }: { value: unknown }) => value)).toEqual([
      ['Web', 'POS'],
      [8, 12],
      true,
      // After a plain date: after its last instant.
      '2026-01-01T23:59:59.999Z',
      ['1', '2'],
      '12',
      '007',
      12,
    ]);
    expect(rules[0]?.tiers).toEqual(['Gold', 'Basic']);
  });

  it('is tested with all of its rows, and its key names any of them', async () => {
    const tests = [
      {
        name: 'the web gives three',
        activity: { type: 'Accrual', srcChannelType: 'Web' },
        expect: { points: { Points: 3 }, fired: ['bonus'] },
      },
      { name: 'no other', activity: { type: 'Accrual', srcChannelType: 'POS' }, expect: { notFired: ['bonus'] } },
      { name: 'wrong', activity: { type: 'Accrual', srcChannelType: 'POS' }, expect: { fired: ['bonus'] } },
    ];
    const rows = [
      { channel: 'Mobile', points: 2 },
      { channel: 'Web', points: 3 },
    ];
    const file = inline({ channel, points }, rows, { perLine: false });
    expect(await faultsOf({ ...file, tests: tests.slice(0, 2) })).toEqual([]);
    expect(await faultsOf({ ...file, tests })).toEqual([
      expect.stringMatching(/^bonus\.json:\d+:\d+ test "wrong" fails: "bonus" did not fire \(no row of it\)$/),
    ]);
  });

  it('fires only the first matching row with pick first', async () => {
    const tests = [{ name: 'gold first', activity: { type: 'Accrual', value: 60 }, expect: { points: { Points: 9 } } }];
    const from = { fact: 'activity', path: '$.value', operator: 'greaterThanInclusive' };
    const rows = [
      { from: 50, points: 9 },
      { from: 10, points: 4 },
    ];
    expect(
      await faultsOf(inline({ from, points }, rows, { perLine: false, group: 'g', pick: 'first', tests })),
    ).toEqual([]);
  });
});

describe('faults of a table are named', () => {
  it.each<[string, string, string[]]>([
    [
      'an unknown column',
      csv.replace('from', 'form'),
      ['bonus.csv:1:10 the table has no column "form" (did you mean "from"?)'],
    ],
    ['a missing column', 'category,from,points\nCoffee,,1', ['bonus.csv:1:1 the first line lacks "until"']],
    [
      'semicolons',
      'category;from;points;until\n',
      ['bonus.csv:1:1 the first line names the columns, and at least one row stands below it'],
    ],
    [
      'semicolons beside commas',
      'category;from,points,until\nCoffee;1,2,',
      ['bonus.csv:1:1 the table has no column "category;from"; cells stand apart with commas'],
    ],
    [
      'a column twice',
      'category,from,points,until,from\nCoffee,,1,,',
      ['bonus.csv:1:28 the column "from" stands here twice'],
    ],
    ['nothing', '', ['bonus.csv:1:1 the first line names the columns, and at least one row stands below it']],
    [
      'a cell too many',
      'category,from,points,until\nTea,1,2,,3',
      ['bonus.csv:2:10 this line has more cells than the first, which has 4'],
    ],
    [
      'a text for a number',
      'category,from,points,until\n\nTea, ten,2,',
      ['bonus.csv:3:6 activity $.value is a number, and "ten" is a text'],
    ],
    [
      'a fraction of a point',
      'category,from,points,until\nTea,,2.5,',
      ['bonus.csv:2:6 points must be a whole number; it is 2.5'],
    ],
    [
      'an impossible date',
      'category,from,points,until\nTea,,2,2026-02-30',
      [expect.stringMatching(/^bonus\.csv:2:8 /)],
    ],
    [
      'a number that may be two',
      'category,from,points,until\nTea,1.000,2,',
      ['bonus.csv:2:5 "1.000" may be 1 or 1000; write 1.0 or 1000'],
    ],
    ['a repeated row', `${csv}Coffee,10,5,\n`, ['bonus.csv:4:1 repeats the row at demo/bonus.csv:2']],
    [
      'a row that only gives something else',
      `${csv}Coffee,10,6,\n`,
      ['bonus.csv:4:1 has the conditions of the row at demo/bonus.csv:2; a column with "key": true tells them apart'],
    ],
    [
      'an open quote',
      'category,from,points,until\n"Tea,1,2,\n',
      ['bonus.csv:2:1 this cell begins with a quote that never closes'],
    ],
    [
      'a quote inside a cell',
      'category,from,points,until\nTea "green",1,2,\n',
      [expect.stringMatching(/^bonus\.csv:2:1 a quote stands inside a cell/)],
    ],
    [
      'text after a quote',
      'category,from,points,until\n\n"Tea" green,1,2,\n',
      [expect.stringMatching(/^bonus\.csv:3:1 something stands after the closing quote/)],
    ],
  ])('%s in a CSV file', async (_, table, faults) => {
    expect(await faultsOf(rule, table)).toEqual(faults);
  });

  it.each<[string, Record<string, unknown>, string[]]>([
    [
      'an unknown fact',
      { a: { fact: 'activty', operator: 'equal' } },
      [': unknown fact "activty" (did you mean "activity"?)'],
    ],
    [
      'an unknown part',
      { a: { ...channel, path: '$.srcChanelType' } },
      [': activity $.srcChanelType: unknown "srcChanelType" (did you mean "srcChannelType"?)'],
    ],
    [
      'an unknown operator',
      { a: { ...channel, operator: 'equals' } },
      [': unknown operator "equals" (did you mean "equal"?)'],
    ],
    [
      'a misspelt field of a column',
      { a: { ...channel, opertor: 'x' } },
      [': unknown field "opertor" (did you mean "operator"?)'],
    ],
    [
      'an unknown field to set',
      { a: { set: '$.efective.to' } },
      [': unknown field "efective" (did you mean "effective"?)'],
    ],
    ['an action that is not there', { a: { set: '$.actions[1].points' } }, [': the rule has no actions[1]']],
    [
      'a misspelt parameter',
      { a: { set: '$.actions[0].pionts' } },
      [': unknown field "pionts" (did you mean "points"?)'],
    ],
    ['a field that tables cannot set', { a: { set: '$.tests' } }, [': a table cannot set tests']],
    [
      'no field',
      { a: { set: 'points' } },
      [': set names one field of the rule, such as $.actions[0].points or $.effective.to'],
    ],
    [
      'two columns for one field',
      { a: points, b: points },
      [': the column "a" is for the same; one of them is enough'],
    ],
  ])('%s', async (_, columns, faults) => {
    const found = await faultsOf(inline(columns, [{ a: 'Web' }, { a: 'POS' }]));
    expect(found.map((fault) => fault.replace(/^bonus\.json:\d+:\d+/, ''))).toEqual(
      faults.map((each) => each.replace(/^:/, '')),
    );
  });

  it('an unknown column of a row, and a cell of the wrong type, at their places', async () => {
    const file = inline({ channel, points }, [{ chanel: 'Web' }, { channel: 5, points: 'x' }]);
    const { text } = asFile(file);
    const { errors } = await read(file);
    const lines = text.split('\n');
    expect(errors.map(({ line, column, message }) => [lines[line - 1]?.slice(column - 1), message])).toEqual([
      ['"chanel": "Web"', 'the table has no column "chanel" (did you mean "channel"?)'],
      ['5,', 'activity $.srcChannelType is a text, and 5 is a number'],
      ['"x"', 'points must be a whole number; it is "x"'],
    ]);
  });

  it('a fault of its rule once, however many rows there are', async () => {
    const rows = Array.from({ length: 50 }, (_, n) => ({ channel: `C${n}` }));
    const actions = [{ type: 'addPoints', purse: 'Pionts', points: 1 }];
    expect(await faultsOf(inline({ channel }, rows, { actions }))).toEqual([
      expect.stringMatching(/^bonus\.json:\d+:\d+ unknown purse "Pionts" \(did you mean "Points"\?\)$/),
    ]);
  });

  it('a missing CSV file, both kinds of rows, or neither', async () => {
    const { table } = rule;
    const { errors } = await readRules([asFile(rule), { path: 'demo/bonuss.csv', text: csv }], tableDefinitions);
    expect(errors.map(({ message }) => message)).toEqual([
      'there is no file "bonus.csv" beside this one (did you mean "bonuss.csv"?)',
    ]);
    const either = expect.stringMatching(/a table has either "rows" or "csv"$/);
    expect(await faultsOf({ ...rule, table: { ...table, rows: [{}] } }, csv)).toEqual([either]);
    expect(await faultsOf({ ...rule, table: { columns: table.columns } })).toEqual([either]);
  });

  it('a CSV file that no table names, as a warning', async () => {
    const { table: _, ...plain } = rule;
    const { errors, warnings } = await read({ ...plain, perLine: false }, csv);
    expect([errors, warnings]).toEqual([[], [expect.objectContaining({ file: 'demo/bonus.csv', line: 1 })]]);
  });

  it('keys that are missing, twice, or taken', async () => {
    const columns = { id: { key: true }, channel };
    const rows = [
      { id: 'a', channel: 'Web' },
      { id: 'a', channel: 'POS' },
      { channel: 'C' },
      { id: 'no key', channel: 'D' },
    ];
    expect((await faultsOf(inline(columns, rows))).map((fault) => fault.replace(/^\S+ /, ''))).toEqual([
      expect.stringMatching(/^the row at demo\/bonus\.json:\d+ has the same key$/),
      'this row has no key',
      expect.stringMatching(/^key must match pattern/),
    ]);
    const { table: _, ...plain } = rule;
    const both = [inline({ channel }, [{ channel: 'Web' }]), { ...plain, perLine: false }];
    expect((await faultsOf(both)).map((fault) => fault.replace(/^\S+ /, ''))).toEqual([
      expect.stringMatching(/^the key "bonus" is taken by /),
    ]);
  });

  it('more rows than an org may have rules, without making them', async () => {
    const line = (n: number) => `C${n},1\n`;
    const lines = `channel,points\n${Array.from({ length: 5001 }, (_, n) => line(n)).join('')}`;
    const file = { ...rule, table: { columns: { channel, points }, csv: 'bonus.csv' } };
    expect(await faultsOf(file, lines)).toEqual([
      expect.stringMatching(/with these 5001 rows, tables come to more rules than an org may have$/),
    ]);
    const tables = Array.from({ length: 3 }, (_, n) => ({ ...file, key: `t${n}` }));
    const fitting = lines.split('\n').slice(0, 2001).join('\n');
    expect((await faultsOf(tables, fitting)).length).toBe(1);
  });

  it('many rows of a large rule, without making them', async () => {
    const lines = `channel\n${Array.from({ length: 4000 }, (_, n) => `C${n}`).join('\n')}`;
    const actions = Array.from({ length: 100 }, (_, n) => ({ type: 'log', message: `${n} ${'x'.repeat(400)}` }));
    expect(await faultsOf({ ...rule, actions, table: { columns: { channel }, csv: 'bonus.csv' } }, lines)).toEqual([
      expect.stringMatching(/4000 rows of so large a rule are too much; make it shorter$/),
    ]);
  });
});

describe('messages about a row', () => {
  it('name the line of the row in its words and in its reasons', async () => {
    const { rules } = await read(rule, csv);
    const [first] = rules;
    if (!first) throw new Error('the table has rules');
    expect(explainRule(first)[1]).toContain('in demo/bonus.json (row demo/bonus.csv:2 of the table bonus)');
    const published = { ...first, _id: new ObjectId(), version: 1 };
    const match = { rule: published._id, key: first.key, name: first.name, version: 1, fired: true };
    const context = { rules: [published], date: new Date(), timezone: 'UTC', errors: [] };
    expect(explainMatches([match], context)[0]?.sentence).toBe(
      'It fired. It is the row demo/bonus.csv:2 of the table bonus.',
    );
  });
});
