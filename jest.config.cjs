const districts = require('./.districts.cjs');

/** Test files of the pure folders and of base/common. They need no store. */
const pure = `/test/(?:${[...districts.pure, 'base/common'].join('|')})/`;
/** Test files that start processes, stop them or wait for them, or that measure what grows with the input. */
const slow = '/test/(?:faults|operations/embedded|changes|image|seams)/.*\\.test\\.ts$|/test/.*/(?:check|ledger)Cost\\.test\\.ts$';

// Short random runs: each run has other cases, by its seed. .ci/nightly sets 10.
process.env.TEST_SCALE ??= '0.25';

/** The pattern of the test files below folders. */
const filesOf = (folders) => `${folders}.*\\.test\\.ts$`;

const shared = {
  testEnvironment: '<rootDir>/test/support/sharedEnvironment.cjs',
  runtime: '<rootDir>/test/support/sharedRuntime.cjs',
  setupFilesAfterEnv: ['<rootDir>/test/support/matchers.ts', '<rootDir>/test/support/shardKeys/failOnUnkeyed.ts'],
  roots: ['<rootDir>/test', '<rootDir>/clients/typescript/test'],
  transform: {
    '^.+\\.ts$|@seriousme/openapi-schema-validator/.+\\.js$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'commonjs' } },
    ],
  },
  transformIgnorePatterns: ['/node_modules/(?!@seriousme/)'],
};
const onStores = {
  ...shared,
  globalSetup: '<rootDir>/test/support/globalSetup.ts',
  globalTeardown: '<rootDir>/test/support/globalTeardown.ts',
};

/** `npm test` runs all projects, `npm run test:pure` only the first. */
module.exports = {
  // One more than the two processors of CI: much of the slow project waits.
  maxWorkers: 3,
  // Test files leave memory behind in a worker. A worker above this limit is restarted.
  workerIdleMemoryLimit: '1GB',
  // For tests that hang. Tests of time limits measure what the machine gave (test/support/givenTime.ts).
  testTimeout: 120_000,
  // A run is repeated by `npm test -- --seed=<the one it printed>`.
  showSeed: true,
  testSequencer: '<rootDir>/test/support/testOrder.cjs',
  projects: [
    { ...shared, displayName: 'pure', testRegex: filesOf(pure), testPathIgnorePatterns: [slow] },
    { ...onStores, displayName: 'stores', testRegex: filesOf('/test/'), testPathIgnorePatterns: [pure, slow] },
    { ...onStores, displayName: 'slow', testRegex: slow },
  ],
};
