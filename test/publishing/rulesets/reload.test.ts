import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { collectionOf } from '#base/db/collections';
import { ruleSetStatus } from '#publishing/rulesets/ruleSetStatus';
import { orgResource } from '#records/users/org';
import { makePolicy, makeProgram } from '../../support/definitions';
import { eventually } from './eventually';
import { earn, type OrgStore, openStore, type TestOrg } from './store';

let store: OrgStore;
let at: TestOrg;
beforeAll(async () => {
  store = await openStore();
});
beforeEach(async () => {
  at = await store.addOrg();
  await addProgram(at);
});
afterAll(() => store.close());

async function addProgram(of: TestOrg): Promise<void> {
  const program = await makeProgram(of.db, of.author, { code: 'shop' });
  await makePolicy(of.db, of.author, program);
}

const version = async (of = at) =>
  (await collectionOf(of.db, orgResource).findOne({ _id: of.org._id }))?.ruleSetVersion;

const expectVersion = (expected: number, of = at) => eventually(async () => expect(await version(of)).toBe(expected));

async function start(dir?: string) {
  const ruleSets = await at.process(dir);
  await ruleSets.start();
  return ruleSets;
}

describe('a table in a CSV file', () => {
  const table = {
    ...earn('channels', 1),
    table: {
      columns: {
        channel: { fact: 'activity', path: '$.srcChannelType', operator: 'equal' },
        points: { set: '$.actions[0].points' },
      },
      csv: 'channels.csv',
    },
  };

  test('is published as the rules of its rows, each with its line, and again when a row changes', async () => {
    await at.write('shop/channels.json', table);
    await at.write('shop/channels.csv', 'channel,points\nWeb,2\nPOS,3\n');
    const ruleSets = await start();
    const rulesOf = async (number: number) => (await ruleSets.current(at.org._id, number))?.rules ?? [];
    const before = await rulesOf(1);
    expect(before.map(({ name, row }) => [name, row])).toEqual([
      ['Earn by channels: Web', { table: 'channels', file: 'shop/channels.csv', line: 2 }],
      ['Earn by channels: POS', { table: 'channels', file: 'shop/channels.csv', line: 3 }],
    ]);
    await at.write('shop/channels.csv', 'channel,points\nPOS,3\nWeb,5\n');
    await expectVersion(2);
    const after = await rulesOf(2);
    expect(after.map(({ _id }) => _id)).toEqual([...before].reverse().map(({ _id }) => _id));
    expect(after.map(({ actions }) => actions)).toMatchObject([[{ points: 3 }], [{ points: 5 }]]);
  });

  test('with a fault keeps the old set in force, and the fault names its line', async () => {
    await at.write('shop/channels.json', table);
    await at.write('shop/channels.csv', 'channel,points\nWeb,2\n');
    const ruleSets = await start();
    await at.write('shop/channels.csv', 'channel,points\nWeb,two\n');
    await ruleSets.publish(at.org._id);
    const { version: inForce, errors } = await ruleSetStatus(at.db, at.org._id);
    expect([inForce, errors]).toEqual([
      1,
      [expect.objectContaining({ file: 'shop/channels.csv', line: 2, column: 5 })],
    ]);
  });

  test('has no effect without a rule file', async () => {
    await at.write('shop/notes.csv', 'a,b\n');
    await start();
    expect(await version()).toBeUndefined();
  });
});

describe('a start', () => {
  test('publishes when nothing is published', async () => {
    await at.write('shop/earn.json', earn('a', 1));
    await start();
    expect(await version()).toBe(1);
  });

  test('publishes files that changed since the last load here', async () => {
    await at.write('shop/earn.json', earn('a', 1));
    await (await start()).close();
    await at.write('shop/earn.json', earn('a', 2));
    await start();
    expect(await version()).toBe(2);
  });

  test('leaves newer rules from elsewhere in force when its own files did not change', async () => {
    const elsewhere = path.join(at.rulesDir, '.elsewhere');
    await at.write('shop/earn.json', earn('old', 1));
    await at.write('.elsewhere/shop/earn.json', earn('new', 1));
    await (await start()).close();
    await (await start(elsewhere)).close();
    expect(await version()).toBe(2);
    await start();
    expect(await version()).toBe(2);
  });

  test('tries refused files again, since missing records may exist now', async () => {
    await at.write('club/earn.json', earn('a', 1));
    await (await start()).close();
    expect(await version()).toBeUndefined();
    const program = await makeProgram(at.db, at.author, { code: 'club' });
    await makePolicy(at.db, at.author, program);
    await start();
    expect(await version()).toBe(1);
  });

  test('says so when there is no rules folder, and continues', async () => {
    await start(path.join(at.rulesDir, 'missing'));
    expect(at.logged.join()).toContain('there are no rule files in');
  });

  test('loads the folders of other orgs', async () => {
    const other = await store.addOrg();
    await addProgram(other);
    await at.write(`@${other.org.code}/shop/earn.json`, earn('a', 1));
    await at.write('@nobody/shop/earn.json', earn('a', 1));
    await start();
    expect(await version(other)).toBe(1);
    expect(at.logged).toContain('rule files of @nobody are not read: there is no such org');
  });
});

describe('while it runs', () => {
  test('a changed, an added and a removed file come into force', async () => {
    await at.write('shop/earn.json', earn('a', 1));
    await start();
    await at.write('shop/earn.json', earn('a', 2));
    await expectVersion(2);
    await at.write('shop/more.json', earn('b', 2));
    await expectVersion(3);
    await rm(path.join(at.rulesDir, 'shop/more.json'));
    await expectVersion(4);
  });

  test('a file that is replaced by renaming comes into force', async () => {
    await at.write('shop/earn.json', earn('a', 1));
    await start();
    await at.write('shop/.earn.tmp', earn('a', 2));
    await rename(path.join(at.rulesDir, 'shop/.earn.tmp'), path.join(at.rulesDir, 'shop/earn.json'));
    await expectVersion(2);
  });

  test('a fault is shown, and its correction comes into force', async () => {
    await at.write('shop/earn.json', earn('a', 1));
    await start();
    await at.write('shop/earn.json', '{"key": "a",');
    const errors = async () => (await ruleSetStatus(at.db, at.org._id)).errors.length;
    await eventually(async () => expect(await errors()).toBeGreaterThan(0));
    expect(await version()).toBe(1);
    await at.write('shop/earn.json', earn('a', 3));
    await expectVersion(2);
    expect(await errors()).toBe(0);
  });

  test('several quick writes are read once, at the end', async () => {
    await at.write('shop/earn.json', earn('a', 1));
    await start();
    for (let points = 2; points <= 12; points += 1) {
      await at.write('shop/earn.json', earn('a', points));
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    await expectVersion(2);
  });

  test('a rules folder that is made later is seen', async () => {
    const dir = path.join(at.rulesDir, 'later');
    await start(dir);
    await mkdir(dir);
    await at.write('later/shop/earn.json', earn('a', 1));
    await expectVersion(1);
  });

  test('after close nothing is read any more', async () => {
    await at.write('shop/earn.json', earn('a', 1));
    const ruleSets = await start();
    await at.write('shop/earn.json', earn('a', 2));
    await ruleSets.close();
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(await version()).toBe(1);
  });
});
