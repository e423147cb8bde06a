import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Type } from '@sinclair/typebox';
import { notFound } from '../../common/errors';
import { runningVersion } from '../../common/version';
import { freeObject, oneOf } from '../../schema/atoms';
import type { Resource } from '../../schema/resource';
import { fixedAnswer } from '../fixedAnswer';
import { defineRoute, type Route } from '../route';
import { openApi } from './openApi';

/**
 * Makes the routes that document all others: the OpenAPI document, and a page that shows it and loads nothing from
 * other hosts.
 */
export function docsRoutes(documented: readonly Route[], resources: readonly Resource[]): Route[] {
  const routes: Route[] = [pageRoute, assetRoute];
  const document = async () =>
    JSON.stringify(openApi({ routes: [...documented, documentRoute, ...routes], resources, ...runningVersion() }));
  const documentRoute = defineRoute({
    method: 'GET',
    path: '/openapi.json',
    tag: 'Operation',
    prefixes: [''],
    permission: 'open',
    summary: 'Read this OpenAPI document',
    responses: { 200: freeObject() },
    answerHeaders: { 200: ['ETag'] },
    handle: fixedAnswer(document, { type: 'application/json; charset=utf-8', cacheControl: 'no-cache' }),
  });
  return [documentRoute, ...routes];
}

const html = 'text/html; charset=utf-8';

const pageRoute = defineRoute({
  method: 'GET',
  path: '/docs',
  tag: 'Operation',
  prefixes: [''],
  permission: 'open',
  summary: 'Show this documentation as a page',
  produces: html,
  responses: { 200: Type.String() },
  handle: asset(async () => page, html),
});

// All names begin at the root, because a browser resolves relative names in a page at /docs against /.
const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>Loyalty Engagement Service</title>
    <link rel="stylesheet" href="/docs/swagger-ui.css">
    <link rel="icon" href="/docs/favicon-32x32.png">
  </head>
  <body>
    <div id="docs"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

const start = `window.ui = SwaggerUIBundle({ url: '/openapi.json', dom_id: '#docs', deepLinking: true, persistAuthorization: true, docExpansion: 'none' });
`;

const files = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png', 'start.js'] as const;

const assetRoute = defineRoute({
  method: 'GET',
  path: '/docs/:file',
  tag: 'Operation',
  prefixes: [''],
  permission: 'open',
  summary: 'Read a script or style of that page',
  params: { file: oneOf(files) },
  produces: '*/*',
  responses: { 200: Type.String() },
  handle: async (request) => {
    const known = files.find((name) => name === request.params.file);
    if (!known) throw notFound('File');
    return assets[known](request);
  },
});

const shipped = (name: string) => () => readFile(path.join(folder(), name));

const assets = {
  'swagger-ui.css': asset(shipped('swagger-ui.css'), 'text/css; charset=utf-8'),
  'swagger-ui-bundle.js': asset(shipped('swagger-ui-bundle.js'), 'text/javascript; charset=utf-8'),
  'favicon-32x32.png': asset(shipped('favicon-32x32.png'), 'image/png'),
  'start.js': asset(async () => start, 'text/javascript; charset=utf-8'),
} satisfies Record<(typeof files)[number], unknown>;

function asset(make: () => Promise<string | Buffer>, type: string) {
  return fixedAnswer(make, { type, cacheControl: 'public, max-age=3600' });
}

function folder(): string {
  return path.dirname(require.resolve('swagger-ui-dist/package.json'));
}
