import { existsSync } from 'node:fs';
import path from 'node:path';
import { periods } from '#base/calendar/periods';
import { errorCodes } from '#base/common/errors';
import { checks } from '#commands/doctor/runChecks';
import { actionTypes } from '#engine/rules/actions/list';
import { factNames } from '#engine/rules/format/facts';
import { jobs } from '#operations/jobs/jobs';
import { type Route, routePaths } from '#platform/http/route';
import { settings } from '#platform/infrastructure/settings';
import { lineItemFields, postedFields } from '#records/activities/activity';
import { builtInMetricNames } from '#records/aggregates/metricNames';
import { type EventType, eventTypes } from '#records/events/event';
import { eventData } from '#records/events/eventData';
import { expiryKinds } from '#records/points/expiry/expiryKinds';
import { journalKinds } from '#records/points/journalEntry';
import { collectPermissions, roleNames } from '#records/users/permissions';
import { allRoutes } from '#server/routes';
import { resources } from '#server/services/resources';
import { filesBelow, namesIn, read, root, tableBelow } from './pages';

const page = (name: string) => read(`docs/design/${name}.md`);
const pages = filesBelow('docs/design', '.md');
const sources = ['src', 'workers', 'test'].flatMap((folder) => filesBelow(folder, '.ts'));
const sorted = (names: Iterable<string>) => [...new Set(names)].sort();
const firstNames = (rows: string[][]) => sorted(rows.flatMap(([first]) => namesIn(first)));

test('the index lists every page once, and no page is longer than 250 lines', () => {
  const listed = [...page('README').matchAll(/^\| \[[^\]]+\]\(([^)]+)\)/gm)].map(([, target = '']) => target);
  expect([...listed, 'README.md'].sort()).toEqual(pages.map((file) => path.basename(file)).sort());
  expect(pages.filter((file) => read(file).split('\n').length > 251)).toEqual([]);
});

test('the page on requests names every route that may answer late, and every one that refuses a key', () => {
  const text = page('http');
  const section = (from: string, to: string) => text.slice(text.indexOf(from), text.indexOf(to));
  const late = allRoutes.filter(({ answerMaxMs }) => answerMaxMs !== undefined);
  const slow = section('These requests may take longer', 'No request blocks');
  const named = (route: Route) => `${route.path.replace(/:(\w+)/g, '{$1}')}\``;
  expect(late.length).toBeGreaterThan(5);
  expect(late.filter((route) => !slow.includes(`\`${route.method} ${named(route)}`))).toEqual([]);
  const rows = section('| POST | key |', '## Time and load')
    .split('\n')
    .filter((line) => line.includes('is refused'));
  const refusing = allRoutes.filter(({ key }) => key === 'refused');
  expect(refusing.filter((route) => !rows.join().includes(`\`${named(route)}`))).toEqual([]);
});

test('the page on points names every kind of expiry in the table of terms', () => {
  const row = page('points')
    .split('\n')
    .find((line) => line.startsWith('| `expiry` |'));
  expect(Object.keys(expiryKinds).filter((kind) => !row?.includes(`\`${kind}\``))).toEqual([]);
});

test('every link of a page leads to a file, and to a heading of it', () => {
  const linking = [...filesBelow('docs', '.md'), 'README.md', 'CONTRIBUTING.md'];
  const links = linking.flatMap((file) =>
    [...read(file).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => {
      const [target = '', heading] = link.split('#');
      return { file, target: target ? path.posix.join(path.posix.dirname(file), target) : file, heading };
    }),
  );
  const isThere = ({ target, heading }: (typeof links)[number]) =>
    existsSync(path.join(root, target)) && (heading === undefined || headingsOf(read(target)).includes(heading));
  expect(links.length).toBeGreaterThan(150);
  expect(links.filter((link) => !isThere(link))).toEqual([]);
});

test('every document that sources and documents cite exists', () => {
  const citing = [...sources, ...filesBelow('docs', '.md'), 'README.md', 'CONTRIBUTING.md'];
  const cited = citing.flatMap((file) =>
    [...read(file).matchAll(/\bdocs\/(?:[\w/-]+\.md|decisions\/\d{4}\b(?!-))/g)].map(([target]) => ({ file, target })),
  );
  const decisions = filesBelow('docs/decisions', '.md');
  const isDecision = (target: string) =>
    /\d{4}$/.test(target) && decisions.some((decision) => decision.startsWith(`${target}-`));
  const isThere = ({ target }: { target: string }) => existsSync(path.join(root, target)) || isDecision(target);
  expect(cited.length).toBeGreaterThan(50);
  expect(cited.filter((each) => !isThere(each))).toEqual([]);
});

test('nothing cites a document that is not in the repository', () => {
  const outside = /\b(?:DESIGN|RELIABILITY)[ ,:]|\bARCHITECTURE \d/;
  expect([...sources, ...filesBelow('docs', '.md')].filter((file) => outside.test(read(file)))).toEqual([]);
});

test('the error codes of answers are those of the code, with their status', () => {
  const rows = tableBelow(page('errors'), 'Answers that are no success').map(([code, status]) => `${code} ${status}`);
  expect(rows.sort()).toEqual(
    Object.values(errorCodes)
      .map(({ code, status }) => `${code} ${status}`)
      .sort(),
  );
});

test('the codes of processing errors are those of the code', () => {
  const made = filesBelow('src', '.ts').flatMap((file) =>
    [...read(file).matchAll(/(?:\brefused\(|\bruleError\(|\bcode: )(2\d{3})\b/g)].map(([, code = '']) => code),
  );
  const actual = tableBelow(page('errors'), 'Errors of processing').map(([code = '']) => code);
  expect(sorted(actual)).toEqual(sorted(made));
});

test('every route is in the tables with its permission, and every route of the tables is mounted', () => {
  const mounted = allRoutes.map((route) => `${route.method} ${shown(routePaths(route)[0])} ${route.permission}`);
  expect(sorted(tabledRoutes())).toEqual(sorted(mounted));
});

test('the settings are those of the configuration', () => {
  const rows = tableBelow(page('running'), 'Settings');
  expect(firstNames(rows)).toEqual(Object.keys(settings.properties).sort());
});

test('the jobs, journal kinds, roles, metrics and periods are those of the code', () => {
  expect(firstNames([...tableBelow(page('jobs'), 'Timers and jobs'), ['`daychange`']])).toEqual(
    Object.keys(jobs).sort(),
  );
  expect(firstNames(tableBelow(page('points'), 'Journal'))).toEqual([...journalKinds].sort());
  expect(firstNames(tableBelow(page('users'), 'Permissions'))).toEqual([...roleNames].sort());
  expect(firstNames(tableBelow(page('aggregates'), 'Metrics'))).toEqual([...builtInMetricNames].sort());
  const actual = tableBelow(page('aggregates'), 'Periods').map(([unit, collection]) =>
    [unit, collection].flatMap(namesIn),
  );
  expect(actual).toEqual(periods.map(({ unit, path: collection }) => [unit, collection]));
});

test('the pages list the checks that the doctor runs', () => {
  expect(tableBelow(page('doctor'), 'Checks').flatMap(([first]) => namesIn(first))).toEqual(
    checks.map(({ name }) => name),
  );
});

test('the events are those of the code, each with an example of its data', () => {
  const rows = tableBelow(page('events'), 'Types');
  expect(firstNames(rows)).toEqual([...eventTypes].sort());
  for (const [name = '', , example = ''] of rows.filter(([, , example]) => example?.startsWith('`'))) {
    const [type] = namesIn(name);
    const { properties, required = [] } = eventData[type as EventType];
    const input = Object.keys(JSON.parse(example.slice(1, -1)));
    expect([type, input.filter((each) => !Object.hasOwn(properties, each))]).toEqual([type, []]);
    expect([type, required.filter((each) => !input.includes(each))]).toEqual([type, []]);
  }
});

test('the special permissions are those that no collection has', () => {
  const byPath = new Set(resources.map((resource) => resource.path));
  const special = roleNames
    .flatMap((role) => [...collectPermissions([role], resources)])
    .filter((each) => !byPath.has(each.split(':')[0] ?? '') || /:(?:run|write|check|simulate)$/.test(each));
  expect(sorted(special).filter((each) => !page('users').includes(`\`${each}\``))).toEqual([]);
});

test.each([
  ['rules', 'fact', factNames],
  ['rules', 'action', actionTypes],
  ['activities', 'field of an activity', Object.keys(postedFields)],
  ['activities', 'field of a line item', Object.keys(lineItemFields)],
])('the page %s names every %s', (name, _what, names) => {
  expect(names.filter((each) => !namesIn(page(name)).includes(each))).toEqual([]);
});

test('the glossary is in order and defines every word once', () => {
  const words = [...page('glossary').matchAll(/^\| ([a-z -]+) \|/gm)].map(([, word = '']) => word).slice(1);
  expect(words.length).toBeGreaterThan(60);
  expect(words).toEqual(sorted(words));
});

function headingsOf(text: string): string[] {
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading.toLowerCase());
  return headings.map((heading) => heading.replace(/[^\w -]/g, '').replaceAll(' ', '-'));
}

function shown(route = ''): string {
  return route.replace('/api/v1', '').replace(/:(\w+)/g, '{$1}');
}

/** The routes of each write of a collection, and the verb of its permission. */
const writes: Record<string, { routes: string[]; verb: string }> = {
  create: { routes: ['POST /<path>'], verb: 'create' },
  update: { routes: ['PUT /<path>/{id}', 'PATCH /<path>/{id}'], verb: 'update' },
  delete: { routes: ['DELETE /<path>/{id}'], verb: 'delete' },
};

const reads = ['GET /<path>', 'GET /<path>/count', 'GET /<path>/{id}'];

function tabledRoutes(): string[] {
  const text = page('routes');
  const collections = tableBelow(text, 'Collections').flatMap(collectionRoutes);
  const others = [...tableBelow(text, 'Others'), ...tableBelow(text, 'At the root')].map(([route, permission = '']) => {
    const named = { none: 'open', 'any token': 'any' }[permission] ?? namesIn(permission)[0];
    return `${namesIn(route)[0]} ${named}`;
  });
  return [...collections, ...others];
}

function collectionRoutes([first, written = '', other = '']: string[]): string[] {
  const [collection = ''] = namesIn(first);
  const [permission] = namesIn(other);
  const permissionOf = (operation: string, verb: string) => {
    const isOther =
      other.startsWith('all:') || other.startsWith(`${operation}:`) || (other.startsWith('writes:') && verb !== 'read');
    return isOther ? permission : `${collection}:${verb}`;
  };
  const operations = written === '' ? [] : written.split(', ');
  const rows = operations.flatMap((operation) =>
    (writes[operation]?.routes ?? []).map(
      (route) => `${route} ${permissionOf(operation, writes[operation]?.verb ?? '')}`,
    ),
  );
  return [...reads.map((route) => `${route} ${permissionOf('read', 'read')}`), ...rows].map((route) =>
    route.replace('<path>', collection),
  );
}
