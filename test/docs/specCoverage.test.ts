import { existsSync } from 'node:fs';
import path from 'node:path';
import { routePaths } from '#platform/http/route';
import { allRoutes } from '#server/routes';
import { read, root } from './pages';

/** The rows of every table: a statement, where it is built, and what shows it. */
const rows = read('docs/spec-coverage.md')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| the specification says'))
  .map((line) => line.slice(1, -1).split(' | '));

const routes = new Set(
  allRoutes.flatMap((route) =>
    routePaths(route).map((each) => `${route.method} ${each.replace('/api/v1', '').replace(/:(\w+)/g, '{$1}')}`),
  ),
);

const shownBy = /`([^`]+)` "(.+?)"(?=<br>| *$)/g;

test('every row has three cells, none of them empty', () => {
  expect(rows.length).toBeGreaterThan(150);
  expect(rows.filter((cells) => cells.length !== 3 || cells.some((cell) => cell.trim() === ''))).toEqual([]);
});

test('every row says where it is built: routes that are mounted, files that exist', () => {
  const places = rows.flatMap(([, where = '']) => where.split(', ').map((place) => place.trim().replaceAll('`', '')));
  const isThere = (place: string) => (/^[A-Z]/.test(place) ? routes.has(place) : existsSync(path.join(root, place)));
  expect(places.filter((place) => !isThere(place))).toEqual([]);
});

test('every row is shown by tests, or decisions of the guide, that exist under their names', () => {
  const faults = rows.flatMap(([statement, , shown = '']) => {
    const named = [...shown.matchAll(shownBy)];
    const rest = shown.replaceAll(shownBy, '').replaceAll('<br>', '').trim();
    if (named.length === 0 || rest !== '') return [`${statement}: ${shown}`];
    return named.flatMap(([, file = '', name = '']) => (isShown(file, name) ? [] : [`${file} "${name}"`]));
  });
  expect(faults).toEqual([]);
});

test('each of the 27 endpoints has a row', () => {
  const numbers = rows.map(([statement = '']) => Number(/^ ?(\d+): /.exec(statement)?.[1]));
  expect([...Array(27).keys()].filter((index) => !numbers.includes(index + 1))).toEqual([]);
});

/**
 * Tells whether a file has a test or decision with this name. The name of a test is in quotes; a decision begins a row
 * of the last table of the guide.
 */
function isShown(file: string, name: string): boolean {
  if (!existsSync(path.join(root, file))) return false;
  if (file !== 'docs/guide.md')
    return [`'${name}'`, `"${name}"`, `\`${name}\``].some((quoted) => read(file).includes(quoted));
  return (read(file).split('## What the specification leaves open')[1] ?? '').includes(`\n| ${name} |`);
}
