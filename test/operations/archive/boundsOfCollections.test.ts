import { readFileSync } from 'node:fs';
import path from 'node:path';
import { shardKeys, unsharded } from '#operations/sharding/shardKeys';

/** docs/design/archive.md says what bounds each collection. */
const page = readFileSync(path.resolve(__dirname, '../../../docs/design/archive.md'), 'utf8');

test('the page of the archive says of each collection, once, what bounds it', () => {
  const [, section = ''] = page.split('## What bounds each collection');
  const rows = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('| `'));
  const named = rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name));
  expect(named.sort()).toEqual([...unsharded, ...Object.keys(shardKeys)].sort());
});
