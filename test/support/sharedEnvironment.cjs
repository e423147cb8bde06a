const { ModuleMocker } = require('jest-mock');

/** What jest-circus notes of a test file among the globals: its tests, and who listens to what they do. */
const ofFile = ['JEST_STATE_SYMBOL', 'EVENT_HANDLERS'];

/**
 * Node as it is: test files and what they import share the globals of their worker (see sharedRuntime.cjs). What Jest
 * noted there of the file before goes; else every file would be slower than the one before it.
 */
module.exports = class SharedEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimers = null;
  fakeTimersModern = null;

  async setup() {
    for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
      if (ofFile.includes(symbol.description)) delete globalThis[symbol];
    }
  }

  async teardown() {}

  exportConditions() {
    return ['node', 'node-addons'];
  }

  /** There is no other realm than this one. */
  getVmContext() {
    return null;
  }
};
