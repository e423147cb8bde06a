import fc from 'fast-check';
import { readRules } from '#engine/rules/read/readRules';
import type { RuleFile } from '#engine/rules/source/ruleSource';
import { base, definitions, faultsOf, file, value, withCondition } from '../sampleRules';

const neither =
  'is neither a rule file nor a table, so it is never read; leave it out, or let its name end in .json or .csv, in small letters';

describe('readRules', () => {
  it('reads a rule with conditions, a limit and a test', async () => {
    const text = `{ "$schema": "../rule.schema.json", "key": "base-earn", "name": "One point per dollar", "status": "active",
    "activityTypes": ["Accrual"], "effective": { "from": "2020-01-01T00:00:00.000Z" }, "priority": 10,
    "conditions": { "all": [ { "fact": "activity", "path": "$.value", "operator": "greaterThan", "value": 0 } ] },
    "actions": [ { "type": "addPoints", "purse": "Points", "points": { "of": { "fact": "activity", "path": "$.value" }, "times": 1, "round": "floor" } } ],
    "limits": [ { "what": "points", "per": "member", "period": "day", "max": 500, "onExceed": "reduce" } ],
    "tests": [ { "name": "a dollar is a point", "activity": { "type": "Accrual", "value": 120 }, "expect": { "points": { "Points": 120 }, "fired": ["base-earn"] } } ] }`;
    const { rules, errors, warnings } = await readRules([{ path: 'demo/base-earn.json', text }], definitions);
    expect([errors, warnings]).toEqual([[], []]);
    expect(rules).toMatchObject([
      {
        key: 'base-earn',
        file: 'demo/base-earn.json',
        position: 0,
        programCode: 'demo',
        priority: 10,
        effective: { from: new Date('2020-01-01') },
      },
    ]);
    expect(rules[0]).not.toHaveProperty('$schema');
  });

  it('fills in defaults: active, priority 1, always true', async () => {
    const { conditions: _left, ...rest } = base;
    const { rules } = await readRules([file(rest)], definitions);
    expect(rules).toMatchObject([{ status: 'active', priority: 1, conditions: { all: [] } }]);
  });

  it('answers rules in the same order whatever the order of the files', async () => {
    const files = [
      file(
        [
          { ...base, key: 'b0' },
          { ...base, key: 'b1' },
          { ...base, key: 'b2', priority: 7 },
        ],
        'demo/b.json',
      ),
      file({ ...base, key: 'a' }, 'demo/a.json'),
      file({ ...base, key: 'c', priority: 7 }, 'demo/c.json'),
    ];
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(files, { minLength: 3 }), async (shuffled) => {
        const { rules, errors } = await readRules(shuffled, definitions);
        expect(errors).toEqual([]);
        expect(rules.map(({ key }) => key)).toEqual(['b2', 'c', 'a', 'b0', 'b1']);
      }),
      { numRuns: 6 },
    );
  });

  it.each<[string, string, number, number, string]>([
    ['', '{\n  "key": "a",\n}', 3, 1, 'a name in double quotes must stand here (a comma too many before it?)'],
    ['', '[{}\n{}]', 2, 1, 'a comma is missing before this'],
    ['', '{ "key": "a" // no\n}', 1, 14, 'JSON has no comments; use the field description'],
    ['', "{ 'key': 1 }", 1, 3, 'JSON has no such word; texts stand in double quotes'],
    ['', '', 1, 1, 'the file is empty; a list of no rules is []'],
    ['', '{ "key": "a\n', 1, 10, 'this text has no closing quote'],
    ['', '{"a":\r\n{"b":1,"b":2}}', 2, 8, '"b" stands here twice'],
  ])('%s names broken JSON with its place: %j', async (_, text, line, column, message) => {
    const { errors, rules } = await readRules([{ path: 'demo/a.json', text }], definitions);
    expect(errors).toContainEqual(expect.objectContaining({ file: 'demo/a.json', line, column, message }));
    expect(rules).toEqual([]);
  });

  it('bounds size and depth before it parses', async () => {
    const deep = { path: 'demo/a.json', text: '['.repeat(1_000_000) };
    const { errors } = await readRules([deep], definitions);
    expect(errors).toMatchObject([
      { file: 'demo/a.json', line: 1, column: 101, message: 'nests deeper than 100 levels' },
    ]);
    const large = { path: 'demo/a.json', text: `"${'ä'.repeat(600_000)}"` };
    expect((await readRules([large], definitions)).errors).toMatchObject([
      { message: 'is larger than 1 MB; split it into several files' },
    ]);
  });

  it('reads a file with a very long text, or with quotes that never close', async () => {
    const long = file({ ...base, description: 'x'.repeat(900_000) });
    const { errors } = await readRules([long], definitions);
    expect(errors.map(({ message }) => message)).toEqual(['description must NOT have more than 2000 characters']);
    const open = await readRules([{ path: 'demo/a.json', text: '"\\'.repeat(400_000) }], definitions);
    expect(open.rules).toEqual([]);
  });

  it('names at most 100 faults of a file', async () => {
    const { errors, rules } = await readRules([file(Array.from({ length: 5000 }, () => 5))], definitions);
    expect([errors.length, rules.length]).toEqual([100, 0]);
  });

  it('counts no brackets within texts as depth, and gives __proto__ no meaning', async () => {
    const rule = { ...base, description: '['.repeat(200) };
    expect(await faultsOf(rule)).toEqual([]);
    const text = JSON.stringify(base).replace('"name"', '"__proto__":{"stop":true},"name"');
    const { errors } = await readRules([{ path: 'demo/a.json', text }], definitions);
    expect(errors).toMatchObject([{ message: 'unknown field "__proto__"' }]);
  });

  it.each<[string, RuleFile, string]>([
    [
      'too deep',
      file(base, 'demo/x/a.json'),
      'a rule file stands in the folder of its program, not deeper and not above',
    ],
    ['above', file(base, 'a.json'), 'a rule file stands in the folder of its program, not deeper and not above'],
    ['a text', file(base, 'demo/x.txt'), neither],
    ['upper case', file(base, 'demo/r.JSON'), neither],
    ['without a folder', file(base, 'README.md'), neither],
    [
      'a table alone',
      { path: 'demo/t.csv', text: 'a\n1\n' },
      'no rule file (.json) of its program is beside this table; send all files of the program, or a file with [] to end its rules',
    ],
  ])('refuses a file that the folder of rules would not read: %s', async (_, one, message) => {
    const { errors } = await readRules([one], definitions);
    expect(errors).toMatchObject([{ file: one.path, line: 1, column: 1, message }]);
  });

  it('ignores hidden files, as the folder of rules does', async () => {
    const { rules, programs, errors } = await readRules([file({}, 'demo/.a.json'), file(base)], definitions);
    expect([rules.length, programs.length, errors]).toEqual([1, 1, []]);
    expect(await readRules([file({}, 'demo/.a.json')], definitions)).toMatchObject({ programs: [], errors: [] });
  });

  it('does not read the files of a folder without a program, and names the folder', async () => {
    const read = await readRules([file('{', 'demoo/a.json'), file(base), file('{', 'demoo/b.json')], definitions);
    expect([read.errors, read.rules.length]).toEqual([[], 1]);
    expect(read.strays).toMatchObject([
      {
        file: 'demoo',
        line: 1,
        column: 1,
        message: 'no program has the code "demoo" (did you mean "demo"?); its rule files are not read',
      },
    ]);
  });

  it('names every fault of every file in one pass', async () => {
    const files = [
      file({ ...base, priority: 0, activityTypes: ['x'] }, 'demo/a.json'),
      file([withCondition({ ...value, operator: 'nope' }), { ...base, key: 'b', group: 'g' }], 'demo/b.json'),
      file(base, 'other/c.json'),
    ];
    const { errors } = await readRules(files, definitions);
    expect(errors.map(({ file: path, message }) => `${path} ${message}`)).toEqual([
      'demo/a.json priority must be >= 1',
      'demo/b.json unknown operator "nope"',
      'demo/b.json a group needs "pick": all, first, highest or lowest',
      'other/c.json unknown purse "Points"',
    ]);
  });

  it('refuses a key that another rule of the program has, but not one of another program', async () => {
    const other = { ...base, actions: [{ type: 'addPoints', purse: 'Miles', points: 1 }] };
    const files = [file([base, base], 'demo/a.json'), file(other, 'other/a.json')];
    const { errors } = await readRules(files, definitions);
    expect(errors).toMatchObject([
      { file: 'demo/a.json', message: 'the key "base" is taken by "base" in demo/a.json' },
    ]);
  });

  it('refuses a group with two ways to pick, or over several priorities', async () => {
    const member = (key: string, more: object) => ({ ...base, key, group: 'g', pick: 'highest', ...more });
    const { errors } = await readRules(
      [file([member('a', {}), member('b', { pick: 'first' }), member('c', { priority: 2 })])],
      definitions,
    );
    expect(errors.map(({ message }) => message)).toEqual([
      'the group "g" has "pick": "highest" in "a" in demo/a.json',
      '"pick": "highest" needs one priority for the whole group; "a" in demo/a.json has 1',
    ]);
  });

  it('bounds the number of rules', async () => {
    const rules = Array.from({ length: 5001 }, (_, index) => ({ ...base, key: `r${index}` }));
    const files = [0, 1].map((half) =>
      file(
        rules.filter((_, index) => index % 2 === half),
        `demo/${half}.json`,
      ),
    );
    const { errors } = await readRules(files, definitions);
    expect(errors).toMatchObject([{ file: 'demo/1.json', message: 'this is rule 5001; an org has at most 5000' }]);
  });
});
