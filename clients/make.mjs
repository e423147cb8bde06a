// Makes the clients of this version: `npm run clients`. The OpenAPI document is that of the built service; with a file as
// argument, the document in that file. The packages that it needs are those of clients/package.json, which it installs.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { sentOnceSource } from './sentOnceSource.mjs';

const folder = import.meta.dirname;
const root = path.join(folder, '..');
const require = createRequire(import.meta.url);

/** Writes a file and the folder in which it is. */
function write(name, text) {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  console.log(`made clients/${name}`);
  return file;
}

/** The OpenAPI document of the built service. Nothing has to run. */
function builtDocument() {
  const { openApi } = require(path.join(root, 'dist/src/platform/http/openApi/openApi.js'));
  const { allRoutes } = require(path.join(root, 'dist/src/server/routes.js'));
  const { resources } = require(path.join(root, 'dist/src/server/services/resources.js'));
  const { version } = require(path.join(root, 'package.json'));
  return JSON.stringify(openApi({ routes: allRoutes, resources, version }));
}

function install() {
  if (existsSync(path.join(folder, 'node_modules/openapi-typescript'))) return;
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'inherit' });
}

/** Runs the program of a package with node. */
function run(packages, program, ...words) {
  execFileSync(process.execPath, [path.join(packages, 'node_modules', program), ...words], { stdio: 'inherit' });
}

function typescriptClient(document) {
  const output = path.join(folder, 'typescript/src/generated/api.ts');
  // A field with a default need not be sent. The document says of answers that they have it.
  run(folder, 'openapi-typescript/bin/cli.js', document, '--output', output, '--default-non-nullable=false');
  run(root, 'typescript/bin/tsc', '--project', path.join(folder, 'typescript'));
}

install();
const { postmanCollection } = await import('./postmanCollection.mjs');
const { positionals } = parseArgs({ allowPositionals: true });
const text = positionals[0] ? readFileSync(positionals[0], 'utf8') : builtDocument();
const document = write('typescript/openapi.json', text);
write('postman/loyalty.postman_collection.json', JSON.stringify(await postmanCollection(text)));
write('typescript/src/sentOnce.ts', sentOnceSource(JSON.parse(text)));
typescriptClient(document);
