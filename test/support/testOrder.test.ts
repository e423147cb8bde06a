import { readdirSync } from 'node:fs';
import TestOrder from './testOrder.cjs';

test('the order of tests names files and folders that exist', () => {
  const files = ['test', 'console/test'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  );
  const unknown = TestOrder.named.filter((place: string) => !files.some((file) => `${file}/`.startsWith(place)));
  expect(unknown).toEqual([]);
});
