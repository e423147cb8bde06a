import { docsRoutes } from '#platform/http/openApi/docs';
import { openApi, pathTemplates } from '#platform/http/openApi/openApi';
import { allRoutes } from '#server/routes';
import { resources } from '#server/services/resources';

const routes = [...allRoutes, ...docsRoutes(allRoutes, resources)];
// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document is walked by its own names
const document: any = openApi({ routes, resources, version: '1' });

/** The paths that are not below `/api/v1`. */
const isRoot = (path: string) => /^\/(?:docs|health|metrics|openapi)\b/.test(path);

test('every route is in the document once, under /api/v1 or at the root', () => {
  const documented = Object.entries<object>(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path}`),
  );
  const mounted = routes.map((route) => `${route.method.toLowerCase()} ${pathTemplates(route)[0]}`);
  expect(documented.sort()).toEqual(mounted.sort());
  const outside = Object.keys(document.paths).filter((path) => !path.startsWith('/api/v1/'));
  expect(outside.filter((path) => !isRoot(path))).toEqual([]);
});

test('the description of an operation names each other path at which it answers', () => {
  const withOthers = allRoutes.filter((route) => pathTemplates(route).length > 1);
  for (const route of withOthers) {
    const [template = '', ...others] = pathTemplates(route);
    const { description } = document.paths[template][route.method.toLowerCase()];
    expect([template, others.filter((other) => !description.includes(`\`${other}\``))]).toEqual([template, []]);
  }
  expect(withOthers.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['/members/:id', '/members/:id/purses', '/yearaggregates', '/halfyearaggregates/:id']),
  );
});
