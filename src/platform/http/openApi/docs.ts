import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Type } from '@sinclair/typebox';
import { notFound } from '#base/common/errors';
import { runningVersion } from '#base/common/version';
import { freeObject, oneOf } from '#base/schema/atoms';
import type { Resource } from '#base/schema/resource';
import { ifNoneMatch } from '../collection/collectionRoutes';
import { fixedAnswer } from '../fixedAnswer';
import { defineRoute, type Route } from '../route';
import { openApi } from './openApi';

/**
 * Makes the routes that document all others: the OpenAPI document, a page that shows it, and the guide for developers
 * of clients. The pages load nothing from other hosts (decision 52).
 */
export function docsRoutes(documented: readonly Route[], resources: readonly Resource[]): Route[] {
  const routes: Route[] = [pageRoute, guideRoute, assetRoute];
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
    ...versioned,
    handle: fixedAnswer(document, { type: 'application/json; charset=utf-8', cacheControl: 'no-cache' }),
  });
  return [documentRoute, ...routes];
}

/** A fixed answer has an ETag. */
const versioned = { headers: ifNoneMatch, answerHeaders: { 200: ['ETag'], 304: ['ETag'] } };

const html = 'text/html; charset=utf-8';

/** The policy of all answers, but with inline styles, which the API reference creates at run time. */
const pagePolicy = [
  "default-src 'self'",
  "img-src 'self' data:",
  "style-src 'self' 'unsafe-inline'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join(';');

const showPage = builtFile('index.html', html);

const pageRoute = defineRoute({
  method: 'GET',
  path: '/docs',
  tag: 'Operation',
  prefixes: [''],
  permission: 'open',
  summary: 'Show this documentation as a page',
  produces: html,
  responses: { 200: Type.String() },
  ...versioned,
  handle: async (request) => {
    const { headers, ...answer } = await showPage(request);
    return { ...answer, headers: { ...headers, 'Content-Security-Policy': pagePolicy } };
  },
});

const guideRoute = defineRoute({
  method: 'GET',
  path: '/docs/guide',
  tag: 'Operation',
  prefixes: [''],
  permission: 'open',
  summary: 'Show the guide for developers of clients',
  produces: html,
  responses: { 200: Type.String() },
  ...versioned,
  handle: builtFile('guide.html', html),
});

const script = 'text/javascript; charset=utf-8';

const assets = {
  'scalar.js': builtFile('scalar.js', script),
  'start.js': builtFile('start.js', script),
  'guide.css': builtFile('guide.css', 'text/css; charset=utf-8'),
};

const files = Object.keys(assets) as (keyof typeof assets)[];

const assetRoute = defineRoute({
  method: 'GET',
  path: '/docs/:file',
  tag: 'Operation',
  prefixes: [''],
  permission: 'open',
  summary: 'Read a script or style of these pages',
  params: { file: oneOf(files) },
  produces: 'text/*',
  responses: { 200: Type.String() },
  ...versioned,
  handle: async (request) => {
    const known = files.find((name) => name === request.params.file);
    if (!known) throw notFound('File');
    return assets[known](request);
  },
});

/**
 * Makes the handler of a file that docs/page/make.mjs built. An upgrade may change the file, so browsers check its ETag
 * after an hour.
 */
function builtFile(name: string, type: string) {
  return fixedAnswer(() => readFile(path.join(builtFolder(), name)), { type, cacheControl: 'public, max-age=3600' });
}

/** The folder of the built files: dist/docs, also when the service runs from its sources. */
function builtFolder(): string {
  const root = path.resolve(__dirname, '../../../..');
  return path.join(path.basename(root) === 'dist' ? root : path.join(root, 'dist'), 'docs');
}
