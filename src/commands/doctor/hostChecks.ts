import { statSync } from 'node:fs';
import path from 'node:path';
import { elapsedMs } from '#base/common/clock';
import { collectionOf } from '#base/db/collections';
import { passwordFits } from '#platform/auth/passwordHash';
import { userResource } from '#records/users/user';
import { type Check, failure, first, ok, warning } from './check';

/** How far apart clocks may be, in milliseconds. */
const skewMaxMs = 1000;

/** Passwords that attackers try first, and secrets of examples. */
const known = [
  'admin',
  'password',
  'password123',
  'changeme',
  'change me',
  'loyalty123',
  'secret',
  'demo',
  'example',
  'test key',
];

const bodyAdvisedBytes = 4 * 1_048_576;

/** Tells whether others than the owner can read a file, by its own mode and the mode of its folder. */
function isOpen(file: string): boolean {
  try {
    return (statSync(file).mode & 0o044) !== 0 && (statSync(path.dirname(file)).mode & 0o011) !== 0;
  } catch {
    return false;
  }
}

/** Checks of this host, the settings and the secrets. */
export const hostChecks: readonly Check[] = [
  {
    name: 'host.node',
    run({ nodeVersion }) {
      const major = Number.parseInt(nodeVersion.slice(1), 10);
      if (major < 20) return failure(`Node.js ${nodeVersion}`, 'Run the service with Node.js 24.');
      return major < 22
        ? warning(`Node.js ${nodeVersion}`, 'Run the service with Node.js 24: version 20 gets no corrections any more.')
        : ok(`Node.js ${nodeVersion}`);
    },
  },
  {
    name: 'host.clock',
    async run({ db, redis, now }) {
      const startedAt = elapsedMs();
      const here = () => now.getTime() + (elapsedMs() - startedAt);
      const before = here();
      const hello = await db.getClient().db('admin').command({ hello: 1 });
      const between = here();
      const [seconds = '0', micros = '0'] = (await redis.time()).map(String);
      const after = here();
      const skews = {
        MongoDB: skew(hello.localTime.getTime(), before, between),
        Redis: skew(Number(seconds) * 1000 + Number(micros) / 1000, between, after),
      };
      const found = Object.entries(skews)
        .map(([name, ms]) => `${name} ${Math.round(ms)} ms`)
        .join(', ');
      const isApart = Object.values(skews).some((ms) => Math.abs(ms) > skewMaxMs);
      return isApart ? warning(found, 'Set the clocks by NTP: points expire by the clock of the process.') : ok(found);
    },
  },
  {
    name: 'host.limits',
    run({ config }) {
      const found = `bodies up to ${config.bodyMaxBytes} bytes, ${config.RATE_LIMIT || 'no'} requests a minute and user`;
      if (config.bodyMaxBytes <= bodyAdvisedBytes) return ok(found);
      return warning(found, 'Lower BODY_LIMIT to 4mb or less: large bodies are processed one at a time.');
    },
  },
  {
    name: 'secrets.jwt',
    run({ config, isEmbedded }) {
      const { JWT_SECRET: key } = config;
      if (key === undefined) return isEmbedded ? ok('made by the service') : failure('not set', 'Set JWT_SECRET.');
      const isExample = known.some((each) => key.toLowerCase().includes(each));
      const isWeak = new Set(key).size < 12;
      if (!isExample && !isWeak) return ok('strong');
      return failure(
        isExample ? 'it looks like an example' : 'it has few different characters',
        'Make a new JWT_SECRET of 32 random bytes: whoever guesses it is an admin.',
      );
    },
  },
  {
    name: 'secrets.files',
    run({ config }) {
      const files = [path.join(config.dataDir, 'secrets.json'), ...config.secretFiles];
      const open = files.filter(isOpen);
      return first(
        [
          open.length > 0 &&
            failure(`others can read ${open.join(', ')}`, 'chmod 600 these files, or 700 their folder.'),
        ],
        'only their owner can read them',
      );
    },
  },
  {
    name: 'secrets.passwords',
    async run({ db, config }) {
      const user = await collectionOf(db, userResource).findOne({ username: config.ADMIN_USERNAME, isActive: true });
      const guesses = [config.ADMIN_USERNAME, ...known];
      for (const password of user ? guesses : []) {
        const guess = { password, passwordHash: user?.passwordHash, isPreferred: true, admit: async () => undefined };
        if (await passwordFits(guess)) {
          return failure(
            `${config.ADMIN_USERNAME} has a password that is tried first`,
            `npm run users -- password ${config.ADMIN_USERNAME}`,
          );
        }
      }
      return ok('none of those that are tried first');
    },
  },
];

/** The difference of a clock that was read between two instants of ours; 0 within the time that the answer took. */
function skew(theirs: number, from: number, to: number): number {
  if (theirs < from) return theirs - from;
  return theirs > to ? theirs - to : 0;
}
