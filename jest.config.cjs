/** What test files of pure folders (docs/ARCHITECTURE.md) mirror: they need no store. */
const pure =
  '/test/(?:rules|points|query(?!/read)|schema|calendar|catalog/filters|aggregates/sums|tiers/ladder|common)/';
/** What starts processes of its own, stops them or waits for them. */
const slow = '/test/(?:faults|embedded|changes)/';

/** The test files below folders. */
const filesOf = (folders) => `${folders}.*\\.test\\.ts$`;

const shared = {
  testEnvironment: '<rootDir>/test/support/sharedEnvironment.cjs',
  runtime: '<rootDir>/test/support/sharedRuntime.cjs',
  roots: ['<rootDir>/test'],
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

/** `npm test` runs all of them, `npm run test:pure` the first. */
module.exports = {
  maxWorkers: 2,
  // What test files leave behind in a worker goes with it.
  workerIdleMemoryLimit: '1GB',
  testTimeout: 30_000,
  projects: [
    { ...shared, displayName: 'pure', testRegex: filesOf(pure) },
    { ...onStores, displayName: 'stores', testRegex: filesOf('/test/'), testPathIgnorePatterns: [pure, slow] },
    { ...onStores, displayName: 'slow', testRegex: filesOf(slow) },
  ],
};
