// Makes Node run TypeScript. A file is translated once for all processes: some hundred of them start in a run of the
// tests, each with 700 files.
const { createHash } = require('node:crypto');
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
const path = require('node:path');

const options = {
  jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
  module: { type: 'commonjs' },
  sourceMaps: 'inline',
  swcrc: false,
};

const cache = path.join(__dirname, '../../node_modules/.cache/typescript');
mkdirSync(cache, { recursive: true });

// What package.json imports as `#…` is in `dist` when the built service runs, and here in the sources.
const sources = path.join(__dirname, '../../src');
const findByNode = Module._resolveFilename;
Module._resolveFilename = (request, ...rest) =>
  findByNode.call(Module, request.startsWith('#') ? path.join(sources, `${request.slice(1)}.ts`) : request, ...rest);

require.extensions['.ts'] = (module, filename) => {
  module._compile(translated(readFileSync(filename, 'utf8'), filename), filename);
};

/** Returns a source as JavaScript. */
exports.translated = translated;

function translated(source, filename) {
  const file = path.join(cache, createHash('sha1').update(`${filename}\n${source}`).digest('hex'));
  return read(file) ?? translate({ source, filename, file });
}

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** Translates a source and stores the result whole: other processes read it meanwhile. */
function translate({ source, filename, file }) {
  const { code } = require('@swc/core').transformSync(source, { ...options, filename });
  const part = `${file}.${process.pid}`;
  writeFileSync(part, code);
  renameSync(part, file);
  return code;
}
