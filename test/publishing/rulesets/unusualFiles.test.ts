import { execFileSync } from 'node:child_process';
import { mkdir, rm, symlink } from 'node:fs/promises';
import { slowness } from '../../support/givenTime';
import { eventually } from './eventually';
import { type GoodShop, makeGoodShop } from './goodShop';
import { longestBlockMs } from './longestBlock';
import { earn, type OrgStore, openStore } from './store';

let store: OrgStore;
let shop: GoodShop;
beforeAll(async () => {
  store = await openStore();
});
beforeEach(async () => {
  shop = await makeGoodShop(store);
});
afterAll(() => store.close());

describe('an unusual but valid file comes into force', () => {
  test.each<[string, string, unknown, string[]]>([
    ['a byte order mark', 'shop/new.json', `\uFEFF${JSON.stringify(earn('new', 1))}`, ['good', 'new']],
    ['a name of 255 characters', `shop/${'x'.repeat(250)}.json`, earn('new', 1), ['good', 'new']],
    ['a name with every other character', 'shop/ä "\'\\ $&.json', earn('new', 1), ['good', 'new']],
    ['a list of nothing', 'shop/earn.json', '[]', []],
  ])('%s', async (_, file, content, keys) => {
    await shop.write(file, content);
    expect(await shop.ruleSets.publish(shop.org._id)).toMatchObject({ kind: 'published', errors: [] });
    expect(await shop.inForce()).toEqual([2, keys]);
  });

  test('a regular expression with catastrophic backtracking elsewhere is answered at once', async () => {
    const condition = { fact: 'activity', path: '$.srcChannelID', operator: 'matches', value: '^(a+)+$' };
    const test = { name: 'slow elsewhere', activity: { type: 'Accrual', srcChannelID: `${'a'.repeat(60)}!` } };
    await shop.write('shop/new.json', {
      ...earn('bad', 1),
      conditions: { all: [condition] },
      tests: [{ ...test, expect: { notFired: ['bad'] } }],
    });
    const { result, blockedMs } = await longestBlockMs(() => shop.freshPublish(), 200);
    expect(result).toMatchObject({ kind: 'published', version: 2 });
    expect(blockedMs).toBeLessThan(200 * slowness());
  });
});

describe('while the folder is watched', () => {
  beforeEach(() => shop.ruleSets.start());

  test('half of a file leaves the old set in force, the whole of it comes into force', async () => {
    const text = JSON.stringify(earn('new', 1), null, 2);
    await shop.write('shop/new.json', text.slice(0, 60));
    await eventually(async () => expect(await shop.faultLines()).toEqual([expect.stringMatching(/^shop\/new\.json:/)]));
    expect(await shop.inForce()).toEqual([1, ['good']]);
    await shop.write('shop/new.json', text);
    await eventually(async () => expect(await shop.inForce()).toEqual([2, ['good', 'new']]));
    expect(await shop.faultLines()).toEqual([]);
  });

  test('a file that appears and disappears while it is read ends in its last state', async () => {
    for (let round = 0; round < 60; round += 1) {
      await shop.write('shop/new.json', earn('new', round));
      if (round % 3 === 0) void shop.ruleSets.publish(shop.org._id);
      await rm(shop.on('shop/new.json'));
    }
    await shop.ruleSets.publish(shop.org._id);
    expect(await shop.inForce()).toEqual([expect.any(Number), ['good']]);
    expect(await shop.faultLines()).toEqual([]);
  });

  test('an entry that is no file stops neither the process nor the watch', async () => {
    execFileSync('mkfifo', [shop.on('shop/pipe.json')]);
    await symlink('circle.json', shop.on('shop/circle.json'));
    await symlink('..', shop.on('shop/up'));
    await mkdir(shop.on('shop/folder.json'));
    await eventually(async () => expect(await shop.faultLines()).toHaveLength(3));
    expect(await shop.inForce()).toEqual([1, ['good']]);
    for (const file of ['pipe.json', 'circle.json', 'up', 'folder.json'])
      await rm(shop.on(`shop/${file}`), { recursive: true });
    await shop.write('shop/new.json', earn('new', 1));
    await eventually(async () => expect(await shop.inForce()).toEqual([2, ['good', 'new']]));
  });
});
