// With `node --require` of this file, Node runs the TypeScript sources. Tests use it to start processes. A file is
// translated once for all processes: some hundred of them start in a run, each with 700 files.
const { createHash } = require('node:crypto');
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const path = require('node:path');

const options = {
  jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
  module: { type: 'commonjs' },
  sourceMaps: 'inline',
  swcrc: false,
};

const cache = path.join(__dirname, '../../node_modules/.cache/typescript');
mkdirSync(cache, { recursive: true });

require.extensions['.ts'] = (module, filename) => {
  const source = readFileSync(filename, 'utf8');
  const translated = path.join(cache, createHash('sha1').update(`${filename}\n${source}`).digest('hex'));
  module._compile(read(translated) ?? translate({ source, filename, translated }), filename);
};

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** Translates a source and stores the result whole: other processes read it meanwhile. */
function translate({ source, filename, translated }) {
  const { code } = require('@swc/core').transformSync(source, { ...options, filename });
  const part = `${translated}.${process.pid}`;
  writeFileSync(part, code);
  renameSync(part, translated);
  return code;
}
