/**
 * Jest's runtime, but for what test files import: Node itself loads that, once a worker and not once a file. All of it is
 * one realm, so that a Date of a test is a Date to the code under test (docs/decisions/0039).
 */
const { createRequire } = require('node:module');
const vm = require('node:vm');
const { default: Runtime } = require('jest-runtime');
require('./registerTypeScript.cjs');

process.setSourceMapsEnabled(true);

/** Packages that Jest loads: they import its globals, or are modules that Node 20 cannot `require`. */
const ofJest = ['@jest/globals', '@fast-check/jest', '@seriousme/openapi-schema-validator'];

module.exports = class SharedRuntime extends Runtime {
  constructor(...settings) {
    super(...settings);
    const { executor } = this.cjsLoader;
    executor.compile = (source, filename) =>
      vm.compileFunction(source, executor.injectedModuleParameters, { filename });
  }

  requireModuleOrMock(from, name) {
    const isOfJest = (id) => ofJest.some((each) => id === each || id.startsWith(`${each}/`));
    const isWithin = name.startsWith('.') && ofJest.some((each) => from.includes(`/node_modules/${each}/`));
    return isOfJest(name) || isWithin ? super.requireModuleOrMock(from, name) : createRequire(from)(name);
  }
};
