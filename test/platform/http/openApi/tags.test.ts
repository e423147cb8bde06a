import { docsRoutes } from '#platform/http/openApi/docs';
import { openApi } from '#platform/http/openApi/openApi';
import { allRoutes } from '#server/routes';
import { resources } from '#server/services/resources';

const routes = [...allRoutes, ...docsRoutes(allRoutes, resources)];
// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document is walked by its own names
const document: any = openApi({ routes, resources, version: '1' });

interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
}

const operations = Object.values<object>(document.paths).flatMap((methods): Operation[] => Object.values(methods));
const names: string[] = document.tags.map(({ name }: { name: string }) => name);

test('every operation has exactly one tag', () => {
  expect(operations.filter(({ tags }) => tags.length !== 1).map(({ operationId }) => operationId)).toEqual([]);
});

test('every tag is described once, in a sentence, and used', () => {
  expect(new Set(operations.flatMap(({ tags }) => tags))).toEqual(new Set(names));
  expect(new Set(names).size).toBe(names.length);
  for (const { description } of document.tags) expect(description).toMatch(/^[A-Z].+\.$/);
});

test('every tag is in one group, in the same order', () => {
  const grouped = document['x-tagGroups'].flatMap(({ tags }: { tags: string[] }) => tags);
  expect(grouped).toEqual(names);
});

test('all aggregates have one tag', () => {
  const own = operations.filter(({ operationId }) => /aggregates/i.test(operationId));
  expect(own.length).toBe(21);
  expect(new Set(own.flatMap(({ tags }) => tags))).toEqual(new Set(['Aggregates']));
});

test('a resource of the catalog has its tag by its definition', () => {
  const listed = document.paths['/api/v1/products'].get;
  expect([listed.tags, listed.summary]).toEqual([['Catalog'], 'List products']);
});

test('a document of few routes has only their tags', () => {
  const few = openApi({ routes: routes.filter(({ path }) => path === '/login'), resources, version: '1' });
  expect(few).toMatchObject({
    tags: [{ name: 'Sign in' }],
    'x-tagGroups': [{ name: 'For clients', tags: ['Sign in'] }],
  });
});

test('summaries are short, without a full stop, and differ within a tag', () => {
  const unfit = operations.filter(({ summary }) => summary.length > 60 || !/^[A-Z][^.]+$/.test(summary));
  expect(unfit.map(({ summary }) => summary)).toEqual([]);
  const listed = operations.map(({ tags, summary }) => `${tags}: ${summary}`);
  expect(listed.filter((each, index) => listed.indexOf(each) !== index)).toEqual([]);
});
