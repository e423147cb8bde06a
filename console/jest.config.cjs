const { projects, ...shared } = require('../jest.config.cjs');

const { testRegex: _all, testPathIgnorePatterns: _others, displayName: _name, ...onStores } = projects[1];

/** `.ci/console` runs these tests: a real browser at the API, in this process, on real stores. */
module.exports = {
  ...onStores,
  rootDir: '..',
  roots: ['<rootDir>/console/test'],
  testRegex: '\\.test\\.ts$',
  testTimeout: shared.testTimeout,
  testSequencer: shared.testSequencer,
  maxWorkers: 2,
};
