import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { writeFiles } from '../../src/ruleEditor/writeFiles';
import { earn, writeRules } from '../rulesets/store';
import { makePolicy, makeProgram } from '../support/definitions';
import { openTestServer } from '../support/server';

let server: Awaited<ReturnType<typeof openTestServer>>;
let rulesDir: string;
beforeAll(async () => {
  rulesDir = await mkdtemp(path.join(tmpdir(), 'loyalty-rules-'));
  server = await openTestServer({ rulesDir, ORG: 'test' });
  const { db, users } = server.services;
  const author = users.admin.principal;
  await makePolicy(db, author, await makeProgram(db, author, { code: 'shop' }));
  await writeRules(path.join(rulesDir, 'shop/earn.json'), [earn('a', 1), earn('b', 2)]);
  await server.services.ruleSets.publish(author.org);
});
afterAll(async () => {
  await server.close();
  await rm(rulesDir, { recursive: true, force: true });
});

const manager = () => server.as('program-manager');
const onDisk = (file: string) => readFile(path.join(rulesDir, file), 'utf8');
const version = async () => (await manager().get('/rulesets/current')).body.version;
const tested = (key: string, points: number, expected: number) => ({
  ...earn(key, points),
  tests: [
    {
      name: 'gives its points',
      activity: { type: 'Accrual', value: 1 },
      expect: { points: { Points: expected }, fired: [key] },
    },
  ],
});

describe('POST /rules/preview', () => {
  const preview = (files: unknown) => manager().post('/rules/preview', { files });

  test('shows the rules of a file in words, with their tests, and changes nothing', async () => {
    const before = await onDisk('shop/earn.json');
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
          tests: [{ name: 'gives its points', differences: [], fired: ['c'] }],
          coverage: { isHit: true, conditions: 0, uncovered: [] },
        },
      ],
    });
    expect(await onDisk('shop/earn.json')).toBe(before);
    const files = [{ path: 'shop/new.json', text: JSON.stringify(tested('c', 7, 7)) }];
    const { body: german } = await manager().post('/rules/preview?lang=de', { files });
    expect(german.rules[0]).toMatchObject({
      sentence: 'Einkauf, immer: 7 Punkte in die Börse "Points" geben.',
      words: expect.arrayContaining(['Wenn', '  - immer', 'Dann']),
    });
    expect(await readdir(path.join(rulesDir, 'shop'))).toEqual(['earn.json']);
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
      ...{ isHit: true, conditions: 2 },
      uncovered: [
        { sentence: expect.stringContaining('0'), came: 'onlyTrue' },
        { sentence: expect.stringContaining('50'), came: 'onlyFalse' },
      ],
    });
    expect(without).toMatchObject({ isHit: false, uncovered: [{ came: 'never' }, { came: 'never' }] });
  });

  test('a failing test is a fault at its line, and says what came', async () => {
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
    await writeRules(path.join(rulesDir, 'shop/d.json'), earn('d', 1));
    await writeRules(path.join(rulesDir, 'shop/naming.json'), naming);
    await writeRules(path.join(rulesDir, 'shop/wrong.json'), tested('wrong', 1, 2));
    const changed = await preview([
      { path: 'shop/d.json', text: JSON.stringify({ ...earn('d', 1), activityTypes: ['Redemption'] }) },
    ]);
    expect(changed.body.errors).toMatchObject([{ file: 'shop/naming.json', from: 'folder' }]);
    for (const name of ['d', 'naming', 'wrong']) await rm(path.join(rulesDir, `shop/${name}.json`));
  });

  test('names a program that there is none of', async () => {
    const { body } = await preview([{ path: 'shp/a.json', text: JSON.stringify(earn('a', 1)) }]);
    expect(body.errors).toMatchObject([{ file: 'shp/a.json', message: 'no program has the code "shp"' }]);
  });
});

describe('GET /rules/files', () => {
  test('answers a file as it is, whether it may be written, and those beside it', async () => {
    await writeRules(path.join(rulesDir, 'shop/more.json'), []);
    expect(await manager().get('/rules/files?path=shop/more.json')).toMatchObject({
      status: 200,
      body: { path: 'shop/more.json', text: '[]', isWritable: true, others: ['shop/earn.json'] },
    });
    await rm(path.join(rulesDir, 'shop/more.json'));
    expect((await manager().get('/rules/files?path=shop/more.json')).status).toBe(404);
  });

  test.each(['shop/../../etc/passwd.json', '../x.json', '/etc/x.json', 'shop/.x.json', '@other/shop/x.json'])(
    'does not read %s',
    async (file) => {
      expect((await manager().get(`/rules/files?path=${encodeURIComponent(file)}`)).status).toBeGreaterThanOrEqual(400);
    },
  );
});

test('a folder that the service may only read says so', async () => {
  const file = { path: 'shop/x.json', text: '[]' };
  await expect(writeFiles('/sys', [file])).rejects.toMatchObject({
    status: 422,
    details: { errors: [{ kind: 'readOnly' }] },
  });
});

describe('POST /rules/publish', () => {
  const publish = (files: unknown) => manager().post('/rules/publish', { files });

  test('writes the file and puts its rules into force', async () => {
    const before = await version();
    const text = JSON.stringify(tested('published', 7, 7), null, 2);
    const { status, body } = await publish([{ path: 'shop/published.json', text, hash: 'none' }]);
    expect({ status, body }).toEqual({ status: 200, body: { version: before + 1 } });
    expect(await onDisk('shop/published.json')).toBe(text);
    const { body: overview } = await manager().get('/rules/overview');
    expect(overview.version).toBe(before + 1);
    expect(overview.rules).toContainEqual(
      expect.objectContaining({
        key: 'published',
        program: 'shop',
        tests: 1,
        points: 0,
        sentence: 'Accrual: always, add 7 points to the purse "Points".',
        changedAt: expect.any(String),
      }),
    );
  });

  test('with a fault, or when somebody else changed the file, nothing changes', async () => {
    const [before, text] = [await version(), await onDisk('shop/earn.json')];
    const faulty = await publish([{ path: 'shop/earn.json', text: JSON.stringify([tested('a', 1, 2)]) }]);
    expect(faulty).toMatchObject({ status: 422, body: { errors: [{ kind: 'rule', path: expect.any(String) }] } });
    const late = await publish([{ path: 'shop/earn.json', text: '[]', hash: 'another' }]);
    expect(late).toMatchObject({ status: 412, body: { code: 1280 } });
    expect([await version(), await onDisk('shop/earn.json')]).toEqual([before, text]);
  });

  test.each(['shop/../x.json', 'shop/.hidden.json', 'shop/deep/x.json', 'x.json', 'shop/x.txt', '@a/x.json'])(
    'never writes %s',
    async (file) => {
      expect((await publish([{ path: file, text: '[]' }])).status).toBe(422);
    },
  );

  test('who may not publish is refused', async () => {
    const files = [{ path: 'shop/x.json', text: '[]' }];
    expect((await server.as('reader').post('/rules/publish', { files })).status).toBe(403);
    expect((await server.as('client').post('/rules/publish', { files })).status).toBe(403);
  });
});

test('a rule that did not change keeps the day of its last change', async () => {
  const changedAt = async (key: string) => {
    const { body } = await manager().get('/rules/overview');
    return body.rules.find((rule: { key: string }) => rule.key === key).changedAt;
  };
  await writeRules(path.join(rulesDir, 'shop/dates.json'), [earn('still', 1), earn('moving', 1)]);
  await manager().post('/refreshcache?entity=Rule');
  const before = await changedAt('still');
  server.services.clock.advance(86_400_000);
  await writeRules(path.join(rulesDir, 'shop/dates.json'), [earn('still', 1), earn('moving', 2)]);
  await manager().post('/refreshcache?entity=Rule');
  expect(await changedAt('still')).toBe(before);
  expect(Date.parse(await changedAt('moving'))).toBeGreaterThanOrEqual(Date.parse(before) + 86_400_000);
});

test('POST /rules/try evaluates an activity of a member by the changed files, and stores nothing', async () => {
  const { body: programs } = await manager().get('/programs');
  const enrolled = await server
    .as('client')
    .post('/members', { program: programs[0]._id, loyaltyID: 'TRY-1', firstName: 'Ada' });
  expect(enrolled.status).toBe(201);
  const files = [{ path: 'shop/tried.json', text: JSON.stringify(tested('tried', 70, 70)) }];
  const activity = { type: 'Accrual', loyaltyID: 'TRY-1', value: 1 };
  const { status, body } = await manager().post('/rules/try', { files, activity });
  expect(status).toBe(200);
  expect(body.ruleMatch).toContainEqual(expect.objectContaining({ key: 'tried', fired: true }));
  expect((await manager().get('/activityhistories/count')).body.count).toBe(0);
  const wrong = await manager().post('/rules/try', { files: [{ path: 'shop/t.json', text: '{' }], activity });
  expect(wrong).toMatchObject({ status: 422, body: { errors: [{ kind: 'rule' }] } });
});

test('GET /rules/coverage says which rules in force no test reaches; who may read rules reads it', async () => {
  const over = { fact: 'activity', path: '$.value', operator: 'greaterThan', value: 5 };
  await writeRules(
    path.join(rulesDir, 'shop/covered.json'),
    [{ ...tested('reached', 3, 0), conditions: { all: [over] } }, tested('hit', 3, 3), earn('untested', 1)].map(
      (rule) =>
        rule.key === 'reached'
          ? {
              ...rule,
              tests: [
                { name: 'too little', activity: { type: 'Accrual', value: 1 }, expect: { notFired: ['reached'] } },
              ],
            }
          : rule,
    ),
  );
  await manager().post('/refreshcache?entity=Rule');
  const { status, body } = await server.as('reader').get('/rules/coverage');
  expect([status, body.version]).toEqual([200, await version()]);
  const of = (key: string) => body.rules.find((rule: { key: string }) => rule.key === key);
  expect(of('reached')).toEqual({
    program: 'shop',
    key: 'reached',
    tests: 1,
    isHit: false,
    conditions: 1,
    uncovered: 1,
  });
  expect(of('hit')).toMatchObject({ tests: 1, isHit: true, uncovered: 0 });
  expect(of('untested')).toMatchObject({ tests: 0, isHit: false });
  expect((await server.as('client').get('/rules/coverage')).status).toBe(403);
});
