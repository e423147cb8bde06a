/**
 * Jest's runtime, but Node itself loads the modules that test files import: once for each worker, not once for each
 * file. All modules share one realm, so that a Date of a test is a Date for the tested code (docs/decisions/0039).
 */
const { createRequire } = require('node:module');
const vm = require('node:vm');
const { default: Runtime } = require('jest-runtime');
require('./translateTypeScript.cjs');

process.setSourceMapsEnabled(true);

/** Packages that Jest loads: they import its globals, or are modules that Node 20 cannot `require`. */
const ofJest = ['@jest/globals', '@fast-check/jest', '@seriousme/openapi-schema-validator'];

/** Jest's own packages, compiled once for each worker. Jest evaluates them again for each test file. */
const compiledPackages = new Map();

function compiled(source, filename, parameters) {
  const known = compiledPackages.get(filename);
  if (known?.source === source) return known.run;
  const run = vm.compileFunction(source, parameters, { filename });
  if (filename.includes('/node_modules/')) compiledPackages.set(filename, { source, run });
  return run;
}

module.exports = class SharedRuntime extends Runtime {
  constructor(...settings) {
    super(...settings);
    const { executor } = this.cjsLoader;
    executor.compile = (source, filename) => compiled(source, filename, executor.injectedModuleParameters);
  }

  requireModuleOrMock(from, name) {
    const isOfJest = (id) => ofJest.some((each) => id === each || id.startsWith(`${each}/`));
    const isWithin = name.startsWith('.') && ofJest.some((each) => from.includes(`/node_modules/${each}/`));
    return isOfJest(name) || isWithin ? super.requireModuleOrMock(from, name) : createRequire(from)(name);
  }
};
