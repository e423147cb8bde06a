import { execFileSync } from 'node:child_process';
import { mkdir, symlink, truncate, writeFile } from 'node:fs/promises';
import { slowness, stopwatch } from '../../support/givenTime';
import { type GoodShop, makeGoodShop } from './goodShop';
import { longestBlockMs } from './longestBlock';
import { earn, type OrgStore, openStore } from './store';

let store: OrgStore;
let shop: GoodShop;
beforeAll(async () => {
  store = await openStore();
  shop = await makeGoodShop(store);
});
afterEach(async () => {
  await shop.tidy();
  expect(await shop.faultLines()).toEqual([]);
});
afterAll(() => store.close());

/** Maximum time of a load: a program manager waits for it. It leaves time for a busy machine. */
const loadMaxMs = 10_000;
const blockMaxMs = 200 * slowness();

async function expectRefused(expected: readonly unknown[], ofOne = blockMaxMs * 2): Promise<void> {
  const takenMs = stopwatch();
  const { result, blockedMs } = await longestBlockMs(() => shop.freshPublish(), ofOne);
  expect(result).toMatchObject({ kind: 'refused', version: 1 });
  expect(await shop.faultLines()).toEqual(expected);
  expect(await shop.inForce()).toEqual([1, ['good']]);
  expect(takenMs()).toBeLessThan(loadMaxMs);
  expect(blockedMs).toBeLessThan(ofOne);
}

const compare = { fact: 'activity', path: '$.value', operator: 'greaterThan', value: 0 };
const ruleWith = (condition: unknown, key = 'bad') => ({ ...earn(key, 1), conditions: { all: [condition] } });
const nested = (depth: number): unknown => (depth === 0 ? compare : { not: nested(depth - 1) });
const circle = (length: number) =>
  Array.from({ length }, (_, n) => ({
    namedCondition: `n${n}`,
    conditions: { all: [{ condition: `n${(n + 1) % length}` }] },
  }));
const pathFault = `a path looks like $.value, $.lineItems[*].itemSKU or $.purse['Bonus Points']; it has no filters, scripts or ".."`;

describe('a file without valid rules is refused with the place of its fault, and the old set stays in force', () => {
  test('10 MB, without a stop of the process', async () => {
    await shop.write('shop/large.json', '');
    await truncate(shop.on('shop/large.json'), 10 * 1_048_576);
    await expectRefused(['shop/large.json:1:1 is too large: 10.0 MB, at most 1 MB'], blockMaxMs);
  });

  test.each<[string, unknown, unknown[]]>([
    ['an empty file', '', ['1:1 the file is empty; a list of no rules is []']],
    ['blanks', ' \n\n ', ['1:1 the file is empty; a list of no rules is []']],
    ['null', 'null', ['1:1 a rule is an object, { "key": ... }; this is null']],
    ['a number', '[5]', ['1:2 a rule is an object, { "key": ... }; this is a number']],
    ['lists in lists', '[[]]', ['1:2 a rule is an object, { "key": ... }; this is a list in a list']],
    ['half of a file', '[\n  {"key": "a", "na', ['2:16 this text has no closing quote']],
    ['nesting of 200 levels', JSON.stringify(ruleWith(nested(200))), [/^1:\d+ nests deeper than 100 levels$/]],
    [
      'conditions of 40 levels',
      JSON.stringify(ruleWith(nested(40))),
      [/^1:\d+ conditions nest deeper than 32 levels$/],
    ],
    [
      'a key twice in an object',
      '{"key":"a",\n"key":"b"}',
      [/required$/, /required$/, /required$/, '2:1 "key" stands here twice'],
    ],
    [
      'numbers beyond all numbers',
      `{"key":"a","name":"A","activityTypes":["Accrual"],\n"conditions":{"all":[{"fact":"activity","path":"$.value","operator":"lessThan","value":-1e999}]},\n"actions":[{"type":"addPoints","purse":"Points","points":1e999}]}`,
      [
        '2:88 -1e999 is too large for a number',
        '3:58 1e999 is too large for a number',
        '3:58 points must be a whole number; it is null',
      ],
    ],
    [
      '70,000 names',
      `{${Array.from({ length: 70_000 }, (_, n) => `"k${n}":1`).join(',')}}`,
      ['1:1 holds 70000 names; an object has at most 1000'],
    ],
    [
      'half a million entries',
      `[${'5,'.repeat(500_000)}5]`,
      ['1:200001 holds more than 100000 values; split it into several files'],
    ],
    [
      'a million commas',
      `[${','.repeat(1_000_000)}`,
      ['1:100001 holds more than 100000 values; split it into several files'],
    ],
    ['a million line ends', '\n'.repeat(1_000_000), ['1:1 the file is empty; a list of no rules is []']],
    [
      'a very long wrong name',
      { ...earn('a', 1), ['x'.repeat(900_000)]: 1 },
      [/^1:1 unknown field "x{90,}…"$/, '1:1 has a field whose name must NOT have more than 500 characters'],
    ],
  ])('%s', async (_, content, expected) => {
    await shop.write('shop/bad.json', content);
    await expectRefused(
      expected.map((each) =>
        each instanceof RegExp
          ? expect.stringMatching(new RegExp(each.source.replace(/^\^/, '^shop/bad\\.json:')))
          : `shop/bad.json:${each}`,
      ),
    );
  });

  test('10,000 conditions in a rule', async () => {
    const all = Array.from({ length: 10_000 }, () => compare);
    await shop.write('shop/bad.json', JSON.stringify({ ...earn('bad', 1), conditions: { all } }));
    await expectRefused([
      expect.stringMatching(/^shop\/bad\.json:1:\d+ these are 10001 conditions; a rule has at most 500$/),
    ]);
  });

  test.each([
    [1, 'n0 -> n0'],
    [2, 'n0 -> n1 -> n0'],
    [50, 'n0 -> n1 -> n2 -> n3 -> n4 -> n5 -> n6 -> … -> n49 -> n0'],
  ])('named conditions in a circle of %d', async (length, way) => {
    await shop.write('shop/bad.json', JSON.stringify([...circle(length), ruleWith({ condition: 'n0' })]));
    await expectRefused([`shop/bad.json:1:20 "n0" refers to itself: ${way}`]);
  });

  test('named conditions that all refer to each other', async () => {
    const references = Array.from({ length: 100 }, (_, n) => ({ condition: `n${n}` }));
    const definitions = references.map(({ condition }) => ({
      namedCondition: condition,
      conditions: { all: references },
    }));
    await shop.write('shop/bad.json', JSON.stringify([...definitions, ruleWith({ condition: 'n50' })]));
    await expectRefused(Array(100).fill(expect.stringContaining('refers to itself')));
  });

  test('rules that named conditions expand to gigabytes', async () => {
    const long = { fact: 'activity', path: '$.srcChannelID', operator: 'equal', value: 'x'.repeat(1500) };
    const large = { namedCondition: 'large', conditions: { any: Array.from({ length: 400 }, () => long) } };
    const rules = Array.from({ length: 2000 }, (_, n) => ruleWith({ condition: 'large' }, `r${n}`));
    await shop.write('shop/bad.json', JSON.stringify([large, ...rules]));
    await expectRefused([
      'shop/bad.json:1:1 all rules together are above 15 MB, named conditions counted where they are used',
    ]);
  });

  test.each([
    '$..[?(@.x)]',
    '$.lineItems[?(@.quantity>1)]',
    '$[(@.length-1)]',
    "$['a'].constructor('return process')()",
    '$..value',
    '$[0:2]',
  ])('a path with a filter or a script: %s', async (wrong) => {
    await shop.write('shop/bad.json', JSON.stringify(ruleWith({ ...compare, path: wrong })));
    await expectRefused([expect.stringContaining(pathFault)]);
  });

  test.each([
    ['(a+)+\\1', 'not a regular expression that RE2 knows'],
    ['(', 'not a regular expression that RE2 knows'],
    ['(a{30}){30}(a{30}){30}(a{30}){30}', 'this regular expression repeats too much'],
  ])('a regular expression that takes long: %s', async (value, message) => {
    await shop.write(
      'shop/bad.json',
      ruleWith({ fact: 'activity', path: '$.srcChannelID', operator: 'matches', value }),
    );
    await expectRefused([expect.stringMatching(new RegExp(`^shop/bad\\.json:21:\\d+ ${message}`))]);
  });

  test('a key that a rule of another file has', async () => {
    await shop.write('shop/other.json', [earn('new', 1), earn('good', 2)]);
    await expectRefused(['shop/other.json:18:12 the key "good" is taken by "good" in shop/earn.json']);
  });

  test('a copy of a file, also when its name comes first', async () => {
    await shop.write('shop/copy of earn.json', [earn('good', 1)]);
    await expectRefused([
      expect.stringMatching(/^shop\/copy of earn\.json:.* is taken by "good" in shop\/earn\.json$/),
    ]);
  });

  test.each<[string, Uint8Array, string]>([
    ['UTF-16 with a mark', Buffer.from('\uFEFF{"key":"a"}', 'utf16le'), 'is UTF-16; save it as UTF-8'],
    ['UTF-16 without one', Buffer.from('{"key":"a"}', 'utf16le'), 'is UTF-16; save it as UTF-8'],
    ['UTF-16 the other way round', Buffer.from('{"key":"a"}', 'utf16le').swap16(), 'is UTF-16; save it as UTF-8'],
    ['no UTF-8', Uint8Array.of(0x7b, 0x22, 0xc3, 0x28, 0x22, 0x7d), 'is not UTF-8 text'],
    ['zero bytes', Buffer.from('{"key":"a\0\0"}'), 'is not UTF-8 text'],
  ])('%s', async (_, bytes, message) => {
    await writeFile(shop.on('shop/bad.json'), bytes);
    await expectRefused([`shop/bad.json:1:1 ${message}`]);
  });

  test.each([
    ['a\nb\x1b[2J.json', 'shop/a\\x0ab\\x1b[2J.json'],
    [Buffer.from([0x61, 0xff, 0x2e, 0x6a, 0x73, 0x6f, 0x6e]), 'shop/a\uFFFD.json'],
  ])('a name that would garble the log: %j', async (name, shown) => {
    await writeFile(
      Buffer.concat([Buffer.from(`${shop.on('shop')}/`), Buffer.from(name)]),
      JSON.stringify(earn('bad', 1)),
    );
    await expectRefused([`${shown}:1:1 has a name that is not UTF-8 or holds control characters; rename it`]);
  });

  test('entries that are no files, all at once', async () => {
    await symlink('gone.json', shop.on('shop/dangling.json'));
    await symlink('circle.json', shop.on('shop/circle.json'));
    await mkdir(shop.on('shop/folder.json'));
    execFileSync('mkfifo', [shop.on('shop/pipe.json')]);
    await expectRefused([
      'shop/circle.json:1:1 cannot be read: its symbolic links lead in a circle',
      'shop/dangling.json:1:1 cannot be read: it was removed meanwhile, or is a link to nothing',
      'shop/folder.json:1:1 is not a file; only rule files end in .json',
      'shop/pipe.json:1:1 is not a file; only rule files end in .json',
    ]);
  });
});
