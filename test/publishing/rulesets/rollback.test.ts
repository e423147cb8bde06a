import { PassThrough } from 'node:stream';
import { runCommand } from '#commands/base/runCommand';
import { rulesCommand } from '#commands/rules';
import { rollBack } from '#publishing/rulesets/rollBack';
import { ruleSetStatus } from '#publishing/rulesets/ruleSetStatus';
import { scheduleRules } from '#publishing/rulesets/scheduleRules';
import { makePolicy, makeProgram } from '../../support/definitions';
import { earnRule, openWorld, type World } from '../../support/world';
import { type GoodShop, makeGoodShop } from './goodShop';
import { earn, type OrgStore, openStore } from './store';

let store: OrgStore;
let shop: GoodShop;
beforeAll(async () => {
  store = await openStore();
});
afterAll(() => store.close());
beforeEach(async () => {
  shop = await makeGoodShop(store);
  await shop.write('shop/earn.json', earn('good', 2));
  await shop.ruleSets.publish(shop.org._id);
});

const status = () => ruleSetStatus(shop.db, shop.org._id);

test('a rollback stays through loads, restarts and other hosts until the files change', async () => {
  expect(await rollBack(shop, 1)).toBe(3);
  expect(await status()).toMatchObject({
    version: 3,
    rollbackOf: 1,
    held: ['shop'],
    files: { added: [], removed: [], changed: [{ key: 'good', fields: [{ field: 'actions' }] }] },
  });
  for (const ruleSets of [shop.ruleSets, shop.fresh(), await shop.process()]) {
    expect(await ruleSets.publish(shop.org._id)).toMatchObject({ kind: 'unchanged', version: 3 });
  }
  await shop.write('shop/earn.json', earn('good', 5));
  expect(await shop.ruleSets.publish(shop.org._id)).toMatchObject({ kind: 'published', version: 4 });
  expect(await status()).not.toHaveProperty('files');
  await shop.ruleSets.publish(shop.org._id);
  expect(await shop.inForce()).toEqual([4, ['good']]);
});

test('when the files of one program change, the others stay rolled back', async () => {
  const club = await makeProgram(shop.db, shop.author, { code: 'club' });
  await makePolicy(shop.db, shop.author, club);
  await shop.write('club/a.json', earn('member', 1));
  await shop.ruleSets.publish(shop.org._id);
  await rollBack(shop, 1);
  expect((await status()).files).toMatchObject({ added: [{ key: 'member' }], changed: [{ key: 'good' }] });
  await shop.write('club/a.json', earn('member', 9));
  expect(await shop.ruleSets.publish(shop.org._id)).toMatchObject({ kind: 'published', version: 5 });
  expect(await status()).toMatchObject({ held: ['shop'], files: { added: [], changed: [{ key: 'good' }] } });
  expect(await shop.ruleSets.publish(shop.org._id)).toMatchObject({ kind: 'unchanged', version: 5 });
});

test('rollbacks and loads at once make one version after the other, and the last one is in force', async () => {
  await shop.write('shop/earn.json', earn('good', 7));
  const other = await shop.process();
  await Promise.all([
    ...[1, 2, 1].map((version) => rollBack(shop, version)),
    shop.ruleSets.publish(shop.org._id),
    other.publish(shop.org._id),
  ]);
  const sets = await shop.db.collection('rulesets').find({ org: shop.org._id }).sort({ version: 1 }).toArray();
  expect(sets.map(({ version }) => version)).toEqual(sets.map((_, n) => n + 1));
  expect((await status()).version).toBe(sets.length);
});

test('equal rules make no version, and rules that do not fit any more are refused', async () => {
  expect(await rollBack(shop, 2)).toBe(2);
  await expect(rollBack(shop, 9)).rejects.toMatchObject({ code: 1500 });
  await shop.db.collection('pursepolicies').updateMany({ org: shop.org._id }, { $set: { name: 'Renamed' } });
  await expect(rollBack(shop, 1)).rejects.toMatchObject({ code: 1200 });
});

test('rules that name a table can be restored, with their tests and those of the table', async () => {
  const columns = { channel: { fact: 'activity', path: '$.srcChannelType', operator: 'equal' } };
  const sale = { activity: { type: 'Accrual', srcChannelType: 'Web' } };
  const bonus = {
    ...earn('bonus', 3),
    priority: 5,
    table: { columns, rows: [{ channel: 'Web' }, { channel: 'POS' }] },
    tests: [{ name: 'a row', ...sale, expect: { points: { Points: 3 }, fired: ['bonus'] } }],
  };
  const of = { fact: 'pointsOfActivity', params: { rule: 'bonus' } };
  const again = {
    ...earn('again', 0),
    actions: [{ type: 'addPoints', purse: 'Points', points: { of } }],
    tests: [{ name: 'twice', ...sale, expect: { points: { Points: 6 }, fired: ['bonus', 'again'] } }],
  };
  await shop.write('shop/earn.json', [bonus, again]);
  const { version = 0 } = await shop.ruleSets.publish(shop.org._id);
  await shop.write('shop/earn.json', earn('good', 4));
  await shop.ruleSets.publish(shop.org._id);
  expect(await rollBack(shop, version)).toBe(version + 2);
});

test('without rules in force, a scheduled version comes into force at once by a rollback', async () => {
  const empty = await store.addOrg();
  const program = await makeProgram(empty.db, empty.author, { code: 'shop' });
  await makePolicy(empty.db, empty.author, program);
  const files = [{ path: 'shop/a.json', text: JSON.stringify(earn('good', 1)) }];
  const version = await scheduleRules(empty, { files }, new Date(Date.now() + 3_600_000));
  expect(await rollBack(empty, version)).toBe(version + 1);
  expect(await ruleSetStatus(empty.db, empty.org._id)).toMatchObject({ version: version + 1, rules: 1 });
});

describe('over HTTP and as a command', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld({ rules: [earnRule] });
    await world.publish([
      { ...earnRule, name: 'Otherwise', priority: 3 },
      { ...earnRule, key: 'more' },
    ]);
  });
  afterAll(() => world.close());

  test('shows the difference of any two versions, and records who rolls back', async () => {
    const manager = world.server.as('program-manager');
    const { body } = await manager.get('/rulesets/1/diff?to=2');
    expect(body).toMatchObject({
      from: 1,
      to: 2,
      removed: [],
      added: [{ program: 'main', key: 'more' }],
      changed: [
        {
          key: 'earn',
          fields: [
            { field: 'name', before: earnRule.name, after: 'Otherwise' },
            { field: 'priority', before: 10, after: 3 },
          ],
        },
      ],
    });
    expect((await manager.get('/rulesets/2/diff')).body).toMatchObject({ from: 2, to: 2, added: [], changed: [] });
    expect((await world.server.as('client').post('/rulesets/1/rollback', {})).status).toBe(403);
    const done = await manager.post('/rulesets/1/rollback', {});
    expect([done.status, done.body]).toEqual([200, { version: 3 }]);
    const { body: all } = await manager.get('/rulesets');
    const { body: me } = await manager.get('/rulesets/current');
    expect(me).toMatchObject({ version: 3, rollbackOf: 1, files: { added: [{ key: 'more' }] } });
    const last = all.find(({ version }: { version: number }) => version === 3);
    const { userId } = world.services.users['program-manager'].principal;
    expect(last).toMatchObject({ rollbackOf: 1, createdBy: userId.toHexString() });
    for (const [path, code] of [
      ['/rulesets/99/diff', 404],
      ['/rulesets/1/diff?to=0', 400],
      ['/rulesets/x/diff', 400],
    ] as const) {
      expect([path, (await manager.get(path)).status]).toEqual([path, code]);
    }
  });

  test('the command rolls back and says how the files differ', async () => {
    const lines: string[] = [];
    const add = (line: string) => void lines.push(line);
    const streams = { input: new PassThrough(), out: add, err: add };
    const { rulesDir, services } = world;
    const config = { ORG: 'test', dataDir: rulesDir, rulesDir, MONGODB_URI: String(services.config.MONGODB_URI) };
    const run = (version: string) => runCommand(rulesCommand(config, streams), ['rollback', version], streams);
    await world.publish([{ ...earnRule, priority: 4 }]);
    expect(await run('2')).toBe(0);
    expect(lines).toEqual([
      'Rule set 5 is in force, with the rules of version 2, each rule until its own file changes',
      '  not in the files: main/more',
      '  otherwise in the files: main/earn (name, priority)',
    ]);
    expect(await run('77')).toBe(1);
    lines.length = 0;
    expect(await runCommand(rulesCommand(config, streams), ['restore', 'main/earn'], streams)).toBe(0);
    expect(lines).toEqual([
      'Rule set 6 is in force, with what the files have of main/earn',
      'Rolled back, and the files differ:',
      '  not in the files: main/more',
    ]);
    expect(await runCommand(rulesCommand(config, streams), ['restore', 'main/never'], streams)).toBe(1);
  });
});
