// Stores the OpenAPI document of the built service as that of the last release: `npm run build`, then
// `node test/compatibility/release.mjs`.
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

const require = createRequire(import.meta.url);
const dist = path.join(import.meta.dirname, '../../dist/src');
const { openApi } = require(path.join(dist, 'platform/http/openApi/openApi.js'));
const { allRoutes } = require(path.join(dist, 'server/routes.js'));
const { resources } = require(path.join(dist, 'server/services/resources.js'));
const { version } = require('../../package.json');

/** Texts for people and examples say nothing about compatibility. Fields of these names stay. */
function withoutTexts(node, isFields = false) {
  if (Array.isArray(node)) return node.map((each) => withoutTexts(each));
  if (typeof node !== 'object' || node === null) return node;
  const kept = Object.entries(node).filter(
    ([name, value]) =>
      isFields ||
      !(['example', 'examples'].includes(name) || (/^(description|summary)$/.test(name) && typeof value === 'string')),
  );
  return Object.fromEntries(
    kept.map(([name, value]) => [name, withoutTexts(value, name === 'properties' && !isFields)]),
  );
}

const document = withoutTexts(openApi({ routes: allRoutes, resources, version }));
writeFileSync(path.join(import.meta.dirname, 'released.json.gz'), gzipSync(JSON.stringify(document), { level: 9 }));
