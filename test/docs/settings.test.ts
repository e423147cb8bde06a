import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { settingGroups, settings } from '#platform/infrastructure/settings';
import { read, root } from './pages';
import { settingsPage } from './settingsPage';

const file = 'docs/settings.md';

test('docs/settings.md is up to date with the settings of the code (npm run docs)', () => {
  if (process.env.RECORD === 'true') writeFileSync(path.join(root, file), settingsPage());
  expect(read(file)).toBe(settingsPage());
});

test('every setting is in one group, and says what it means', () => {
  const grouped = settingGroups.flatMap((group) => Object.keys(group.settings));
  expect(grouped.sort()).toEqual(Object.keys(settings.properties).sort());
  const unexplained = Object.entries(settings.properties).filter(([, { description }]) => !description);
  expect(unexplained).toEqual([]);
});
