const { AsyncLocalStorage } = require('node:async_hooks');
const { configureGlobal } = require('fast-check');
const { ModuleMocker } = require('jest-mock');
const processorTime = require('./processorTime.cjs');

/** The globals in which jest-circus stores the state of a test file: its tests and its event handlers. */
const ofFile = ['JEST_STATE_SYMBOL', 'EVENT_HANDLERS'];

/**
 * Jest remembers in an AsyncLocalStorage which test or hook runs, to say whose an uncaught error is. For that, Node 20
 * calls hooks for every promise: a seventh of the processor time of the tests. Without it, an uncaught error fails the
 * file. Other storages work as always.
 */
const { run } = AsyncLocalStorage.prototype;
AsyncLocalStorage.prototype.run = function (store, callback, ...args) {
  return isOfJest(store) ? callback(...args) : run.call(this, store, callback, ...args);
};

function isOfJest(store) {
  return typeof store === 'object' && store !== null && ('test' in store || 'hook' in store);
}

/** Jest tells a worker with this number that there are no more test files (CHILD_MESSAGE_END of jest-worker). */
const noMoreFiles = 2;

// A worker ends when nothing is open. Its last file may have handed its services on (services.ts).
process.on('message', function end([kind]) {
  if (kind !== noMoreFiles) return;
  process.removeListener('message', end);
  void globalThis.endSpareServices?.();
});

/**
 * Jest's environment without a separate realm: test files and their imports share the globals of their worker (see
 * sharedRuntime.cjs). `setup` deletes Jest's state of the previous file, which would make every next file slower. Random
 * tests draw from the seed of the run (`--seed`), so that a run can be repeated.
 */
module.exports = class SharedEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimers = null;
  fakeTimersModern = null;

  constructor({ globalConfig }, { testPath }) {
    this.seed = globalConfig.seed;
    this.testPath = testPath;
  }

  async setup() {
    this.tellProcessorTime = processorTime(this.testPath);
    configureGlobal({ seed: this.seed, numRuns: Math.ceil(100 * Number(process.env.TEST_SCALE)) });
    for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
      if (ofFile.includes(symbol.description)) delete globalThis[symbol];
    }
  }

  async teardown() {
    this.tellProcessorTime();
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  /** Returns null, because there is no other realm. */
  getVmContext() {
    return null;
  }
};
