import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { earn, writeRules } from '../rulesets/store';
import { type EditorWorld, openEditorWorld, tested } from './editorWorld';

let editor: EditorWorld;
beforeAll(async () => {
  editor = await openEditorWorld();
});
afterAll(() => editor.close());

const manager = () => editor.server.as('program-manager');

describe('POST /rules/preview', () => {
  const preview = (files: unknown) => manager().post('/rules/preview', { files });

  test('shows the rules of a file in words, with their tests, and changes nothing', async () => {
    const before = await editor.onDisk('shop/earn.json');
    const { status, body } = await preview([{ path: 'shop/new.json', text: JSON.stringify(tested('c', 7, 7)) }]);
    expect(status).toBe(200);
    expect(body).toEqual({
      errors: [],
      warnings: expect.any(Array),
      rules: [
        {
          program: 'shop',
          key: 'c',
          sentence: 'Accrual: always, add 7 points to the purse "Points".',
          words: expect.arrayContaining(['When', '  - always', 'Then']),
          tests: [{ name: 'gives its points', differences: [], messages: [], fired: ['c'] }],
          coverage: { isHit: true, conditions: 0, uncovered: [] },
        },
      ],
    });
    expect(await editor.onDisk('shop/earn.json')).toBe(before);
    const files = [{ path: 'shop/new.json', text: JSON.stringify(tested('c', 7, 7)) }];
    const { body: german } = await manager().post('/rules/preview?lang=de', { files });
    expect(german.rules[0]).toMatchObject({
      sentence: 'Einkauf, immer: 7 Punkte in die Börse "Points" geben.',
      words: expect.arrayContaining(['Wenn', '  - immer', 'Dann']),
    });
    expect(await readdir(path.join(editor.rulesDir, 'shop'))).toEqual(['earn.json']);
  });

  test('says which conditions no test reached, and whether the rule fired in one', async () => {
    const above = (value: number) => ({ fact: 'activity', path: '$.value', operator: 'greaterThan', value });
    const rule = { ...tested('c', 7, 7), conditions: { any: [above(0), above(50)] } };
    const [whole, without] = await Promise.all(
      [rule, { ...rule, tests: [] }].map(async (each) => {
        return (await preview([{ path: 'shop/new.json', text: JSON.stringify(each) }])).body.rules[0].coverage;
      }),
    );
    expect(whole).toEqual({
      isHit: true,
      conditions: 2,
      uncovered: [
        { sentence: expect.stringContaining('0'), came: 'onlyTrue' },
        { sentence: expect.stringContaining('50'), came: 'onlyFalse' },
      ],
    });
    expect(without).toMatchObject({ isHit: false, uncovered: [{ came: 'never' }, { came: 'never' }] });
  });

  test('reports a failing test at its line, and says what happened instead', async () => {
    const { body } = await preview([{ path: 'shop/new.json', text: JSON.stringify(tested('c', 7, 8)) }]);
    expect(body.errors).toMatchObject([
      { file: 'shop/new.json', from: 'upload', message: expect.stringContaining('7') },
    ]);
    expect(body.rules[0].tests[0].differences).toHaveLength(1);
  });

  test('takes the place of the file on the disk, and knows the rules of the others', async () => {
    const changed = [{ ...tested('c', 7, 8), tests: undefined }, earn('a', 5)];
    const clash = await preview([{ path: 'shop/new.json', text: JSON.stringify(changed) }]);
    expect(clash.body.errors).toMatchObject([{ message: expect.stringContaining('"a"') }]);
    expect((await preview([{ path: 'shop/earn.json', text: JSON.stringify(changed) }])).body.errors).toEqual([]);
  });

  test('runs the tests of other rules that name a changed rule, and of no others', async () => {
    const naming = {
      ...earn('naming', 1),
      tests: [{ name: 'with d', activity: { type: 'Accrual' }, expect: { fired: ['d'] } }],
    };
    await writeRules(path.join(editor.rulesDir, 'shop/d.json'), earn('d', 1));
    await writeRules(path.join(editor.rulesDir, 'shop/naming.json'), naming);
    await writeRules(path.join(editor.rulesDir, 'shop/wrong.json'), tested('wrong', 1, 2));
    const changed = await preview([
      { path: 'shop/d.json', text: JSON.stringify({ ...earn('d', 1), activityTypes: ['Redemption'] }) },
    ]);
    expect(changed.body.errors).toMatchObject([{ file: 'shop/naming.json', from: 'folder' }]);
    for (const name of ['d', 'naming', 'wrong']) await rm(path.join(editor.rulesDir, `shop/${name}.json`));
  });

  test('names a program that does not exist', async () => {
    const { body } = await preview([{ path: 'shp/a.json', text: JSON.stringify(earn('a', 1)) }]);
    expect(body.errors).toMatchObject([{ file: 'shp/a.json', message: 'no program has the code "shp"' }]);
  });
});
