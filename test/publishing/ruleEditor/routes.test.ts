import { rm } from 'node:fs/promises';
import path from 'node:path';
import { writeFiles } from '#publishing/ruleEditor/writeFiles';
import { earn, writeRules } from '../rulesets/store';
import { type EditorWorld, openEditorWorld, tested } from './editorWorld';

let editor: EditorWorld;
beforeAll(async () => {
  editor = await openEditorWorld();
});
afterAll(() => editor.close());

const manager = () => editor.server.as('program-manager');
const version = async () => (await manager().get('/rulesets/current')).body.version;
describe('GET /rules/files', () => {
  test('answers a file as it is, whether it may be written, and those beside it', async () => {
    await writeRules(path.join(editor.rulesDir, 'shop/more.json'), []);
    expect(await manager().get('/rules/files?path=shop/more.json')).toMatchObject({
      status: 200,
      body: { path: 'shop/more.json', text: '[]', isWritable: true, others: ['shop/earn.json'] },
    });
    await rm(path.join(editor.rulesDir, 'shop/more.json'));
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
    const changes = {
      added: [expect.objectContaining({ program: 'shop', key: 'published' })],
      changed: [],
      removed: [],
    };
    expect({ status, body }).toEqual({ status: 200, body: { version: before + 1, changes, setAside: [] } });
    expect(await editor.onDisk('shop/published.json')).toBe(text);
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

  test('changes nothing with a fault, or when somebody else changed the file', async () => {
    const [before, text] = [await version(), await editor.onDisk('shop/earn.json')];
    const faulty = await publish([{ path: 'shop/earn.json', text: JSON.stringify([tested('a', 1, 2)]) }]);
    expect(faulty).toMatchObject({ status: 422, body: { errors: [{ kind: 'rule', path: expect.any(String) }] } });
    expect(await publish([{ path: 'shop/earn.json', text: '[]', hash: 'another' }])).toBeRefused(412, 1280);
    expect([await version(), await editor.onDisk('shop/earn.json')]).toEqual([before, text]);
  });

  test.each(['shop/../x.json', 'shop/.hidden.json', 'shop/deep/x.json', 'x.json', 'shop/x.txt', '@a/x.json'])(
    'never writes %s',
    async (file) => {
      expect((await publish([{ path: file, text: '[]' }])).status).toBe(422);
    },
  );

  test('refuses a user who may not publish', async () => {
    const files = [{ path: 'shop/x.json', text: '[]' }];
    expect((await editor.server.as('reader').post('/rules/publish', { files })).status).toBe(403);
    expect((await editor.server.as('client').post('/rules/publish', { files })).status).toBe(403);
  });
});

test('a rule that did not change keeps the day of its last change', async () => {
  const changedAt = async (key: string) => {
    const { body } = await manager().get('/rules/overview');
    return body.rules.find((rule: { key: string }) => rule.key === key).changedAt;
  };
  await writeRules(path.join(editor.rulesDir, 'shop/dates.json'), [earn('still', 1), earn('moving', 1)]);
  await manager().post('/refreshcache?entity=Rule');
  const before = await changedAt('still');
  editor.server.services.clock.advance(86_400_000);
  await writeRules(path.join(editor.rulesDir, 'shop/dates.json'), [earn('still', 1), earn('moving', 2)]);
  await manager().post('/refreshcache?entity=Rule');
  expect(await changedAt('still')).toBe(before);
  expect(Date.parse(await changedAt('moving'))).toBeGreaterThanOrEqual(Date.parse(before) + 86_400_000);
});

test('POST /rules/try evaluates an activity of a member by the changed files, and stores nothing', async () => {
  const { body: programs } = await manager().get('/programs');
  const enrolled = await editor.server
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

test('GET /rules/coverage says which rules in force no test reaches, to users who may read rules', async () => {
  const over = { fact: 'activity', path: '$.value', operator: 'greaterThan', value: 5 };
  await writeRules(
    path.join(editor.rulesDir, 'shop/covered.json'),
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
  const { status, body } = await editor.server.as('reader').get('/rules/coverage');
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
  expect((await editor.server.as('client').get('/rules/coverage')).status).toBe(403);
});

describe('the announced changes of a publication', () => {
  const names = (rules: { key: string }[]) => rules.map(({ key }) => key);
  const announced = async (files: unknown) => (await manager().post('/rules/changes', { files })).body;
  const fileOf = (key: string, points: number) => ({
    path: `shop/${key}.json`,
    text: JSON.stringify(earn(key, points)),
  });
  const publish = (key: string, points: number) => manager().post('/rules/publish', { files: [fileOf(key, points)] });

  test('name the rules of other files too, and are what the publication does', async () => {
    await writeRules(path.join(editor.rulesDir, 'shop/unseen.json'), earn('unseen', 1));
    const files = [fileOf('seen', 1)];
    const actual = await announced(files);
    expect(names(actual.changes.added)).toEqual(['seen', 'unseen']);
    const before = await version();
    const { body } = await manager().post('/rules/publish', { files });
    const { from: _from, to: _to, ...diff } = (await manager().get(`/rulesets/${before}/diff`)).body;
    expect([body.changes, diff]).toEqual([actual.changes, actual.changes]);
  });

  test('leave out a rule that was rolled back until it is put back', async () => {
    const before = await version();
    await publish('bad', 100);
    await manager().post(`/rulesets/${before}/rollback`, {});
    const actual = await announced([fileOf('seen', 2)]);
    expect([names(actual.changes.added), names(actual.changes.changed), actual.setAside]).toEqual([
      [],
      ['seen'],
      [{ program: 'shop', key: 'bad' }],
    ]);
    expect((await publish('seen', 2)).body).toMatchObject(actual);
    const { body: warned } = await manager().post('/rules/preview', { files: [fileOf('bad', 100)] });
    expect(warned.warnings).toMatchObject([{ message: expect.stringContaining('was rolled back') }]);
    const rules = [{ program: 'shop', key: 'bad' }];
    expect((await editor.server.as('client').post('/rulesets/restore', { rules })).status).toBe(403);
    expect((await manager().post('/rulesets/restore', { rules })).status).toBe(200);
    const { body: overview } = await manager().get('/rules/overview');
    expect(names(overview.rules)).toContain('bad');
    // The same again changes nothing.
    const now = await version();
    expect((await manager().post('/rulesets/restore', { rules })).body).toEqual({ version: now });
    const unknown = [{ program: 'shop', key: 'never' }];
    expect(await manager().post('/rulesets/restore', { rules: unknown })).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'rules.0', kind: 'reference' }] },
    });
  });

  test('are absent for files with faults', async () => {
    const { status } = await manager().post('/rules/changes', { files: [{ path: 'shop/x.json', text: '{' }] });
    expect(status).toBe(422);
  });
});
