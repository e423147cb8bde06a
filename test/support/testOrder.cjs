const path = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

const root = path.join(__dirname, '../..');

/** Files that take long, the longest first. Started late, one of them would run alone at the end. */
const long = [
  'operations/backup/backup',
  'commands/examples',
  'operations/sandbox/clock',
  'activities/scenario/sameAsService',
  'security/heldLoop',
  'operations/sandbox/cloneAndWipe',
  'exchange/imports/standstill',
  'exchange/examples/examples',
  'members/occasions/expiringPoints',
  'base/query/read/regexOnMongod',
  'activities/large',
  'exchange/definitions/definitionFiles',
  'platform/http/keys/everyPost',
  'exchange/imports/files',
  'platform/http/operations',
  'platform/http/unlessAborted',
  'members/occasions/caused',
  'operations/jobs/processRules',
  'publishing/rulesets/badFiles',
  'exchange/imports/repeated',
  'publishing/simulations/truth',
  'docs/guide',
  'exchange/webhooks/deliveries',
  'server/startUp/awaitServers',
  'exchange/threeDoors',
  'members/occasions/due',
  'commands/sentences',
  'activities/oneCalendar',
  'platform/http/openApi/recordedAnswers',
].map((name) => `test/${name}.test.ts`);

/**
 * The dearest files, of which a whole run takes every sixth, third or second, from where its seed says. A long run
 * (TEST_SCALE above 1) and a run of named files take all. First those that start, stop, freeze or measure processes,
 * which few changes touch; then those that drive a browser; then the other long ones, except those of members and
 * activities. Paths begin so.
 */
const inTurn = [
  {
    turns: 6,
    begin: [
      'test/faults/',
      'test/years/',
      'test/operations/embedded/',
      'test/image/',
      'test/changes/',
      'test/engine/rules/checkCost',
      'test/engine/points/ledgerCost',
      'test/platform/auth/loginThrottle',
      'test/security/heldLoop',
      'test/security/wideRecords',
    ],
    except: [],
  },
  {
    turns: 3,
    begin: ['console/test/'],
    except: [
      'german.test',
      'mappingForms',
      'mappingProposals',
      'messages',
      'pure',
      'rules.forms',
      'unread',
      'untouched',
    ].map((name) => `console/test/${name}`),
  },
  { turns: 2, begin: long, except: ['test/activities/', 'test/members/', 'test/security/heldLoop'] },
];

/** Chooses the files of a run, and runs first what takes long: no worker is left with a long file at the end. */
module.exports = class TestOrder extends Sequencer {
  /** What the lists above name, for the test that all of it exists. */
  static named = [...inTurn.flatMap(({ begin, except }) => [...begin, ...except]), ...long];

  constructor(options) {
    super(options);
    const { seed, testPathPatterns, onlyChanged, findRelatedTests, runTestsByPath } = options.globalConfig;
    const isNamed = testPathPatterns.isSet() || onlyChanged || findRelatedTests || runTestsByPath;
    // A seed may be negative, and then so is what is left of it by a division.
    this.seed = isNamed || Number(process.env.TEST_SCALE) > 1 ? undefined : seed & 0x7fff_ffff;
  }

  sort(tests) {
    const rank = ({ context, path: file }) => {
      if (context.config.displayName?.name === 'slow') return -1;
      const place = long.findIndex((name) => file.endsWith(`/${name}`));
      return place === -1 ? long.length : place;
    };
    return super.sort(this.chosen(tests)).sort((a, b) => rank(a) - rank(b));
  }

  chosen(tests) {
    if (this.seed === undefined) return tests;
    const others = inTurn.flatMap(({ turns, begin, except }) =>
      tests
        .filter(({ path: file }) => isBelow(file, begin) && !isBelow(file, except))
        .sort((a, b) => (a.path < b.path ? -1 : 1))
        .filter((_test, index) => index % turns !== this.seed % turns),
    );
    return tests.filter((test) => !others.includes(test));
  }
};
function isBelow(file, places) {
  const relative = path.relative(root, file);
  return places.some((place) => relative.startsWith(place));
}
