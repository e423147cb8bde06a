import { notFound } from '#base/common/errors';
import { record } from '#base/schema/atoms';
import { defineRoute, ok } from '#platform/http/route';
import { createApp } from '#server/app';
import { serve } from '#server/serve';
import { client } from '../../support/client';
import { openTestServices, type TestServices } from '../../support/services';

let services: TestServices;
beforeAll(async () => {
  services = await openTestServices();
});
afterAll(() => services.close());

const route = (path: string, more: object = {}) =>
  defineRoute({
    method: 'GET',
    path,
    permission: 'open',
    summary: 'Answers nothing',
    responses: { 200: record({}) },
    errors: [404],
    handle: async () => ok({}),
    ...more,
  });

const deprecated = { since: '2026-11-01', sunset: '2027-11-01', instead: 'use GET /new' };

test('a deprecated route answers its dates, also in an error, and the document names its replacement', async () => {
  const gone = async () => {
    throw notFound('Old');
  };
  const routes = [route('/new'), route('/old', { deprecated }), route('/old/lost', { deprecated, handle: gone })];
  const serving = await serve({ ...services, config: { ...services.config, PORT: 0 } }, createApp(services, routes));
  const api = client(serving.url);
  const answers = await Promise.all(['/new', '/old', '/old/lost'].map((path) => api.get(path)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 404]);
  expect(answers.map(({ headers }) => [headers.get('deprecation'), headers.get('sunset')])).toEqual([
    [null, null],
    ['@1793491200', 'Mon, 01 Nov 2027 00:00:00 GMT'],
    ['@1793491200', 'Mon, 01 Nov 2027 00:00:00 GMT'],
  ]);
  const { paths } = (await api.send('GET', '/openapi.json')).body;
  expect(paths['/api/v1/new'].get).not.toHaveProperty('deprecated');
  expect(paths['/api/v1/old'].get).toMatchObject({
    deprecated: true,
    description: expect.stringContaining('Deprecated since 2026-11-01, gone from 2027-11-01 on: use GET /new.'),
  });
  await serving.close();
});
