const { default: Sequencer } = require('@jest/test-sequencer');

/** Files of other projects that take long, the longest first. Started late, one of them would run alone at the end. */
const long = [
  ...['activities/story/sameAsService', 'security/heldLoop', 'exchange/examples/examples', 'operations/backup/backup'],
  ...['operations/sandbox/clock', 'operations/sandbox/cloneAndWipe', 'commands/examples'],
  'exchange/definitions/definitionFiles',
].map((name) => `/test/${name}.test.ts`);

/** Runs what takes long first, so that no worker is left with a long file while the others have none. */
module.exports = class SlowFirst extends Sequencer {
  sort(tests) {
    const rank = ({ context, path }) => {
      const place = long.findIndex((name) => path.endsWith(name));
      // The longest takes longer than any file of the project `slow`; the others come after that project.
      if (place === 0) return -1;
      if (context.config.displayName?.name === 'slow') return 0;
      return place > 0 ? place : long.length;
    };
    return super.sort(tests).sort((a, b) => rank(a) - rank(b));
  }
};
