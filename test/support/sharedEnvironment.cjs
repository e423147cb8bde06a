const { AsyncLocalStorage } = require('node:async_hooks');
const { ModuleMocker } = require('jest-mock');

/** The globals in which jest-circus stores the state of a test file: its tests and its event handlers. */
const ofFile = ['JEST_STATE_SYMBOL', 'EVENT_HANDLERS'];

/**
 * The storages that were entered for this file. Jest makes one per file and never disables it. Every promise of every
 * later file would be passed on to all of them.
 */
const entered = new Set();
const { run } = AsyncLocalStorage.prototype;
AsyncLocalStorage.prototype.run = function (...args) {
  entered.add(this);
  return run.apply(this, args);
};

/**
 * Jest's environment without a separate realm: test files and their imports share the globals of their worker (see
 * sharedRuntime.cjs). `setup` deletes Jest's state of the previous file, which would make every next file slower.
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

  async teardown() {
    for (const storage of entered) storage.disable();
    entered.clear();
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  /** Returns null, because there is no other realm. */
  getVmContext() {
    return null;
  }
};
