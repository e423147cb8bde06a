/**
 * Modules of the service as one process compiled them, in one file: their sources, the code that V8 made of them, and
 * what each `require` found. A process that takes them from there starts in half the processor time, because it neither
 * looks for 2,000 files nor reads and compiles each. Tests start more than a hundred such processes.
 */
const { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const vm = require('node:vm');

const root = path.join(__dirname, '../..');
const file = path.join(root, `node_modules/.cache/compiled-modules-${process.version}`);
const isOfPackage = (filename) => filename.includes(`${path.sep}node_modules${path.sep}`);
/** V8 cannot tell a module from compiled code who imports: Node itself loads these. */
const isDynamic = /\bimport\s*\(/;

/** Tells whether a file is the same as before. */
function stampOf(filename) {
  const { mtimeMs, size } = statSync(filename, { throwIfNoEntry: false }) ?? {};
  return size === undefined ? undefined : `${mtimeMs} ${size}`;
}

/** Packages change only when npm installs them. */
const stampOfPackages = () => stampOf(path.join(root, 'node_modules/.package-lock.json'));

/** Reads what was compiled; undefined when there is nothing for these packages. */
function readCompiled() {
  try {
    const content = readFileSync(file);
    const start = 4 + content.readUInt32LE(0);
    const index = JSON.parse(content.toString('utf8', 4, start));
    return index.packages === stampOfPackages() ? { ...index, code: content.subarray(start) } : undefined;
  } catch {
    return undefined;
  }
}

/** Evaluates a module as Node does. */
function evaluate(module, filename, script) {
  const require = (id) => module.require(id);
  require.resolve = (request, options) => Module._resolveFilename(request, module, false, options);
  Object.assign(require, { main: process.mainModule, extensions: Module._extensions, cache: Module._cache });
  const run = script.runInThisContext();
  run.call(module.exports, module.exports, require, module, filename, path.dirname(filename));
}

/** Calls `load` for each source that Node would load, and `find` for each request of a module. */
function hook({ load, find }) {
  for (const extension of ['.js', '.ts']) {
    const byNode = Module._extensions[extension];
    Module._extensions[extension] = (module, filename) => load(module, filename) || byNode(module, filename);
  }
  const findByNode = Module._resolveFilename;
  Module._resolveFilename = (request, parent, isMain, options) => {
    const search = () => findByNode.call(Module, request, parent, isMain, options);
    return parent?.filename && !options ? find(`${path.dirname(parent.filename)}\0${request}`, search) : search();
  };
}

/** Takes from now on what was compiled and has not changed. */
exports.useCompiled = function useCompiled() {
  const compiled = readCompiled();
  if (!compiled) return;
  const { modules, found, code } = compiled;
  hook({
    load(module, filename) {
      const known = modules[filename];
      if (!known || (known.stamp && known.stamp !== stampOf(filename))) return false;
      const [from, middle, to] = known.at;
      const source = code.toString(known.encoding, from, middle);
      evaluate(module, filename, new vm.Script(source, { filename, cachedData: code.subarray(middle, to) }));
      return true;
    },
    find: (key, search) => {
      const known = found[key];
      return known && (isOfPackage(known) || stampOf(known)) ? known : search();
    },
  });
};

/** Tells whether most of what was compiled can be used: a few changed sources make no process slow. */
exports.isCompiled = function isCompiled() {
  const sources = Object.entries(readCompiled()?.modules ?? {}).filter(([, { stamp }]) => stamp);
  const same = sources.filter(([filename, { stamp }]) => stamp === stampOf(filename));
  return sources.length > 0 && same.length > 0.95 * sources.length;
};

/** Compiles with `read`, which gives a source as JavaScript, what this process loads. `write` stores it for others. */
exports.compileModules = function compileModules(read) {
  const scripts = new Map();
  const found = {};
  hook({
    load(module, filename) {
      const source = Module.wrap(read(filename));
      const script = isDynamic.test(source) ? undefined : scriptOf(source, filename);
      if (!script) return false;
      scripts.set(filename, { script, source });
      evaluate(module, filename, script);
      return true;
    },
    find(key, search) {
      const filename = search();
      if (path.isAbsolute(filename)) found[key] = filename;
      return filename;
    },
  });
  return { write: () => write(scripts, found) };
};

/** Compiles a module; undefined for an ES module, which only Node can load. */
function scriptOf(source, filename) {
  try {
    return new vm.Script(source, { filename });
  } catch {
    return undefined;
  }
}

function write(scripts, found) {
  const parts = [];
  const modules = {};
  let size = 0;
  for (const [filename, { script, source }] of scripts) {
    const encoding = Buffer.from(source, 'latin1').toString('latin1') === source ? 'latin1' : 'utf8';
    const both = [Buffer.from(source, encoding), script.createCachedData()];
    const at = [size, size + both[0].length, size + both[0].length + both[1].length];
    modules[filename] = { at, encoding, ...(isOfPackage(filename) ? {} : { stamp: stampOf(filename) }) };
    parts.push(...both);
    size = at[2];
  }
  const index = Buffer.from(JSON.stringify({ packages: stampOfPackages(), modules, found }));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(index.length);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(`${file}.${process.pid}`, Buffer.concat([length, index, ...parts]));
  renameSync(`${file}.${process.pid}`, file);
}
