import type { mongo } from 'mongoose';
import { shardKeys, unsharded } from '#operations/sharding/shardKeys';
import { namesIn, read } from '../../docs/pages';
import { openTestServices, type TestServices } from '../../support/services';
import { databaseOf } from '../../support/stores';

/** The shard keys of docs/decisions/0177, compared with the indexes of a started service. */
let services: TestServices;
let db: mongo.Db;
beforeAll(async () => {
  services = await openTestServices();
  db = databaseOf(services.db);
});
afterAll(() => services.close());

const keys = Object.entries(shardKeys);

test('each collection of records has a shard key or stays whole, and no other name has one', () => {
  const named = [...Object.keys(shardKeys), ...unsharded];
  expect(new Set(named).size).toBe(named.length);
  const paths = services.resources.map(({ path }) => path);
  expect(paths.filter((path) => !named.includes(path))).toEqual([]);
  expect(Object.keys(shardKeys).filter((name) => !paths.includes(name))).toEqual([]);
});

test('each unique index begins with the shard key of its collection', async () => {
  const others: string[] = [];
  let unique = 0;
  for (const [collection, key] of keys) {
    for (const index of await db.collection(collection).indexes()) {
      if (!index.unique) continue;
      unique += 1;
      const begins = key.every((field, place) => Object.keys(index.key)[place] === field);
      if (!begins) others.push(`${collection}.${index.name}`);
    }
  }
  expect(others).toEqual([]);
  expect(unique).toBeGreaterThan(30);
});

test('a shard key is of single values that every record has', () => {
  const unfit = keys.flatMap(([path, key]) => {
    const resource = services.resources.find((each) => each.path === path);
    const { properties = {}, required = [] } = resource?.shape ?? {};
    return key
      .filter((field) => !required.includes(field) || properties[field]?.type === 'array')
      .map((field) => `${path}.${field}`);
  });
  expect(unfit).toEqual([]);
});

test('the key of every collection that a commit of an activity writes begins with the org', () => {
  const others = keys.filter(([, [first]]) => first !== 'org').map(([name]) => name);
  // Leases are written outside transactions.
  expect(others).toEqual(['leases']);
});

test('the page for operators says the same keys', () => {
  const [, after = ''] = read('docs/operating.md').split('### Shard keys and zones\n');
  const rows = [...(after.split('\n### ')[0] ?? '').matchAll(/^\| (`.+`|all others) \| (none|`\{.+\}`) \|/gm)];
  const said = new Map(rows.flatMap(([, names = '', key = '']) => namesIn(names).map((name) => [name, key] as const)));
  const others = rows.find(([, names]) => names === 'all others')?.[2];
  const shown = (key: readonly string[]) => `\`{ ${key.map((field) => `${field}: 1`).join(', ')} }\``;
  const wrong = keys.filter(([name, key]) => (said.get(name) ?? others) !== shown(key)).map(([name]) => name);
  expect(wrong).toEqual([]);
  const whole = [...said].filter(([, key]) => key === 'none').map(([name]) => name);
  expect(whole.sort()).toEqual([...unsharded].sort());
});
