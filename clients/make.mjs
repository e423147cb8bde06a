// Makes the clients of this version: `npm run clients`. The OpenAPI document is that of the built service; with a file as
// argument, the document in that file.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { parseArgs } from 'node:util';
import postman from 'openapi-to-postmanv2';

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
  const { openApi } = require(path.join(root, 'dist/src/http/openApi/openApi.js'));
  const { allRoutes } = require(path.join(root, 'dist/src/routes.js'));
  const { resources } = require(path.join(root, 'dist/src/services/resources.js'));
  const { version } = require(path.join(root, 'package.json'));
  return JSON.stringify(openApi({ routes: allRoutes, resources, version }));
}

function run(...words) {
  execFileSync(process.execPath, [path.join(root, 'node_modules', words[0]), ...words.slice(1)], { stdio: 'inherit' });
}

function typescriptClient(document) {
  run('openapi-typescript/bin/cli.js', document, '--output', path.join(folder, 'typescript/src/generated/api.ts'));
  run('typescript/bin/tsc', '--project', path.join(folder, 'typescript'));
}

/** A collection with a folder for each tag, and the examples of the document. */
function collectionOf(data) {
  const options = { folderStrategy: 'Tags', parametersResolution: 'Example', requestNameSource: 'Fallback' };
  // It prints what it cannot merge, and goes on with the parts.
  const { error: printError, warn } = console;
  Object.assign(console, { error: () => undefined, warn: () => undefined });
  return new Promise((resolve, reject) => {
    postman.convertV2({ type: 'string', data }, options, (error, made) => {
      Object.assign(console, { error: printError, warn });
      if (error || !made.result) reject(error ?? new Error(made.reason));
      else resolve(made.output[0].data);
    });
  });
}

const { positionals } = parseArgs({ allowPositionals: true });
const text = positionals[0] ? readFileSync(positionals[0], 'utf8') : builtDocument();
const document = write('typescript/openapi.json', text);
write('postman/loyalty.postman_collection.json', JSON.stringify(await collectionOf(text)));
typescriptClient(document);
