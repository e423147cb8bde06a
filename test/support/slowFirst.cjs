const { default: Sequencer } = require('@jest/test-sequencer');

/** Runs the project `slow` first, so that no worker is left with its long files while the others have none. */
module.exports = class SlowFirst extends Sequencer {
  sort(tests) {
    const isSlow = ({ context }) => context.config.displayName?.name === 'slow';
    const sorted = super.sort(tests);
    return [...sorted.filter(isSlow), ...sorted.filter((test) => !isSlow(test))];
  }
};
