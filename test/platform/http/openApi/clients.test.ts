import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { fillDemo } from '#operations/demo/fillDemo';
import { openApi } from '#platform/http/openApi/openApi';
import { allRoutes } from '#server/routes';
import { resources } from '#server/services/resources';
import { sentOnce } from '../../../../clients/typescript/src/sentOnce';
import { openTestServer } from '../../../support/server';

interface Parameter {
  in: string;
  name: string;
}
type Paths = Record<string, Record<string, { parameters?: Parameter[] }>>;

const root = path.resolve(__dirname, '../../../..');
const document = openApi({ routes: allRoutes, resources, version: '1' });
const paths = document.paths as Paths;

describe('the client of TypeScript', () => {
  it('sends requests without a key or If-Match once (after a change: npm run clients)', () => {
    const lacking = Object.entries(paths).flatMap(([template, methods]) =>
      Object.entries(methods).flatMap(([method, { parameters = [] }]) => {
        const guard = method === 'post' ? 'Idempotency-Key' : 'If-Match';
        const isGuarded = parameters.some((each) => each.in === 'header' && each.name === guard);
        return method === 'get' || isGuarded ? [] : [`${method.toUpperCase()} ${template}`];
      }),
    );
    expect([...sentOnce].sort()).toEqual(lacking.sort());
  });

  it('sends no key to a route that refuses one', () => {
    const refusing = allRoutes
      .filter(({ key }) => key === 'refused')
      .map((route) => `${route.method} /api/v1${route.path.replace(/:(\w+)/g, '{$1}')}`);
    expect(refusing.length).toBeGreaterThan(5);
    expect(sentOnce).toEqual(expect.arrayContaining(refusing));
  });
});

interface Argument {
  key: string;
  value: string;
  disabled?: boolean;
}
interface Item {
  name: string;
  item?: Item[];
  request?: {
    method: string;
    url: { path: string[]; query: Argument[] };
    header: Argument[];
    body: { raw?: string };
  };
  event?: { listen: string; script: { exec: string[] } }[];
}
interface Collection extends Item {
  variable: Argument[];
}

/** The Postman collection of some paths of the document, by their names. */
function collectionOf(...templates: string[]): { requests: Map<string, Item>; variable: Argument[] } {
  const kept = Object.fromEntries(templates.map((template) => [template, paths[template]]));
  const lines = `
    import { readFileSync } from 'node:fs';
    import { postmanCollection } from './clients/postmanCollection.mjs';
    console.log(JSON.stringify(await postmanCollection(readFileSync(0, 'utf8'))));`;
  const made = execFileSync(process.execPath, ['--input-type=module', '--eval', lines], {
    cwd: root,
    input: JSON.stringify({ ...document, paths: kept }),
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const collection: Collection = JSON.parse(made);
  const requests = (item: Item): Item[] => (item.request ? [item] : (item.item ?? []).flatMap(requests));
  return { requests: new Map(requests(collection).map((item) => [item.name, item])), variable: collection.variable };
}

describe('the Postman collection', () => {
  const { requests, variable } = collectionOf(
    '/api/v1/login',
    '/api/v1/activity',
    '/api/v1/members',
    '/api/v1/dailyaggregates',
    '/api/v1/members/{id}',
  );

  it('declares its variables', () => {
    expect(variable.map(({ key }) => key)).toEqual(['baseUrl', 'bearerToken']);
    expect(variable[0]?.value).toMatch(/^http:/);
    const [stored] = requests.get('Log in')?.event ?? [];
    expect(stored?.script.exec.join()).toContain("collectionVariables.set('bearerToken'");
  });

  it('has only required arguments switched on, and a new key in each post', () => {
    const isOn = ({ disabled }: Argument) => !disabled;
    const on = [...requests.values()].flatMap(({ name, request }) =>
      (request?.url.query ?? []).filter(isOn).map(({ key }) => `${name}: ${key}`),
    );
    expect(on).toEqual([expect.stringMatching(/aggregates: query$/i)]);
    const headers = [...requests.values()].flatMap(({ request }) => (request?.header ?? []).filter(isOn));
    const keys = headers.filter(({ key }) => key === 'Idempotency-Key').map(({ value }) => value);
    expect(keys).toEqual(['{{$guid}}', '{{$guid}}']);
    expect(headers.map(({ key }) => key)).not.toContain('If-Match');
  });

  it('can be sent unchanged', async () => {
    const server = await openTestServer({ rulesDir: path.join(root, 'rules'), ORG: 'test' });
    try {
      await fillDemo(server.services, server.services.org);
      await server.services.ruleSets.start();
      const { token } = server.services.users.client;
      const send = async (name: string) => {
        const { request } = requests.get(name) ?? {};
        if (!request) throw new Error(`there is no request ${name}`);
        const isOn = ({ disabled }: Argument) => !disabled;
        const query = new URLSearchParams(
          request.url.query.filter(isOn).map(({ key, value }): [string, string] => [key, value]),
        );
        const headers = request.header
          .filter(isOn)
          .map(({ key, value }) => [key, value.replace('{{$guid}}', randomUUID())]);
        const answer = await fetch(`${server.url}/${request.url.path.join('/')}?${query}`, {
          method: request.method,
          headers: { ...Object.fromEntries(headers), Authorization: `Bearer ${token}` },
          ...(request.body.raw === undefined ? {} : { body: request.body.raw }),
        });
        return {
          status: answer.status,
          replayed: answer.headers.get('idempotent-replayed'),
          body: (await answer.json()) as { result: { data: { activityId: string } } },
        };
      };
      const [first, second] = [await send('Post an activity'), await send('Post an activity')];
      expect(first).toMatchObject({ status: 200, replayed: null, body: { result: { data: { status: 'Processed' } } } });
      expect(second).toMatchObject({
        status: 200,
        replayed: null,
        body: { result: { data: { status: 'Processed' } } },
      });
      expect(first.body.result.data.activityId).not.toBe(second.body.result.data.activityId);
      expect(await send('List members')).toMatchObject({
        status: 200,
        body: expect.arrayContaining([expect.anything()]),
      });
      const aggregates = [...requests.keys()].find((name) => /list.*aggregates/i.test(name)) ?? '';
      expect(await send(aggregates)).toMatchObject({ status: 200 });
    } finally {
      await server.close();
    }
  });
});
