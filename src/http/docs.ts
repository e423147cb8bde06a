import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Type } from '@sinclair/typebox';
import type { Resource } from '../db/resource';
import { notFound } from '../errors';
import { freeObject, oneOf } from '../schema/atoms';
import { runningVersion } from '../version';
import { openApi } from './openApi';
import { type Answer, defineRoute, ok, type Route } from './route';

/** Makes the routes that document all others: the OpenAPI document, and a page that shows it without other hosts. */
export function docsRoutes(documented: readonly Route[], resources: readonly Resource[]): Route[] {
  const routes: Route[] = [pageRoute, assetRoute];
  let document: unknown;
  const documentRoute = defineRoute({
    method: 'GET',
    path: '/openapi.json',
    prefixes: [''],
    permission: 'open',
    summary: 'The OpenAPI 3.1 document of this API',
    responses: { 200: freeObject() },
    handle: async () => {
      document ??= openApi({ routes: [...documented, documentRoute, ...routes], resources, ...runningVersion() });
      return ok(document);
    },
  });
  return [documentRoute, ...routes];
}

const html = 'text/html; charset=utf-8';

const pageRoute = defineRoute({
  method: 'GET',
  path: '/docs',
  prefixes: [''],
  permission: 'open',
  summary: 'A page that shows this documentation',
  produces: html,
  responses: { 200: Type.String() },
  handle: async () => asset(page, html),
});

// Relative to the root, since a page at /docs resolves names against /.
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

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
};

const files = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png', 'start.js'] as const;

const assetRoute = defineRoute({
  method: 'GET',
  path: '/docs/:file',
  prefixes: [''],
  permission: 'open',
  summary: 'Scripts and styles of the page',
  params: { file: oneOf(files) },
  produces: '*/*',
  responses: { 200: Type.String() },
  handle: async ({ params: { file = '' } }) => {
    const known = files.find((name) => name === file);
    if (!known) throw notFound('File');
    const type = types[path.extname(known)] ?? 'application/octet-stream';
    return asset(known === 'start.js' ? start : await readFile(path.join(folder(), known)), type);
  },
});

function asset(body: string | Buffer, type: string): Answer {
  return { status: 200, body, headers: { 'Content-Type': type, 'Cache-Control': 'public, max-age=3600' } };
}

function folder(): string {
  return path.dirname(require.resolve('swagger-ui-dist/package.json'));
}
