import { randomBytes } from 'node:crypto';
import { Command, InvalidArgumentError } from 'commander';
import type { Connection } from 'mongoose';
import { createOrg } from '#access/users/createOrg';
import { systemClock } from '#base/common/clock';
import { collectionOf } from '#base/db/collections';
import { compileCheck } from '#base/schema/parse';
import { progressBar } from '#commands/base/progressBar';
import { type CommandStreams, runProcess } from '#commands/base/runCommand';
import { CommandError, withDatabase } from '#commands/base/withDatabase';
import { SeedRefused, type SeedSize, seedOrg } from '#operations/seed/seedOrg';
import type { Config } from '#platform/infrastructure/config';
import { type Org, orgCode, orgResource } from '#records/users/org';

/** The largest seed: members, and accrual items of one member on average. */
const limits = { members: 10_000_000, itemsPerMember: 1000 } as const;

/** Makes the command `npm run seed`, which fills an org with made-up members, accrual items, journal and histories. */
export function seedCommand(config: Config, streams: CommandStreams): Command {
  return new Command('seed')
    .description('Fills an org of its own with made-up members and their ledgers, for trying out and measuring')
    .requiredOption('--members <count>', 'how many members', count)
    .requiredOption('--items <count>', 'how many accrual items they have together', count)
    .option('--org <code>', 'the org, made when there is none', 'seed')
    .action((options: SeedSize & { org: string }) => run(config, streams, options));
}

function count(text: string): number {
  if (/^\d{1,10}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number.');
}

const codeFaultsOf = compileCheck(orgCode);

async function run(config: Config, streams: CommandStreams, { org: code, ...size }: SeedSize & { org: string }) {
  const [fault] = codeFaultsOf(code);
  if (fault) throw new CommandError(`The code ${fault.message}`);
  if (size.members < 1 || size.members > limits.members) throw new CommandError(`--members is 1 to ${limits.members}`);
  if (size.items > size.members * limits.itemsPerMember) {
    throw new CommandError(`--items is at most ${limits.itemsPerMember} for each member`);
  }
  await withDatabase(config, async (db) => {
    const org = await findOrCreateOrg(db, code, streams);
    await seed(db, org, size, streams);
  });
}

async function findOrCreateOrg(db: Connection, code: string, { out }: CommandStreams): Promise<Org> {
  const found = await collectionOf(db, orgResource).findOne({ code });
  if (found) return found;
  const admin = { username: `admin@${code}`, password: randomBytes(12).toString('base64url') };
  const org = await createOrg(db, { code, admin }, systemClock.now());
  out(`Made org ${code} with admin ${admin.username}, password ${admin.password}`);
  return org;
}

async function seed(db: Connection, org: Org, size: SeedSize, streams: CommandStreams): Promise<void> {
  const bar = progressBar('{bar} {value} of {total} members, {eta_formatted} left', streams);
  bar.start(size.members, 0);
  try {
    await seedOrg(db, org, size, systemClock.now(), (members) => bar.update(members));
  } catch (error) {
    throw error instanceof SeedRefused ? new CommandError(error.message) : error;
  } finally {
    bar.stop();
  }
  streams.out(`${size.members} members with ${size.items} accrual items are in org ${org.code}`);
}

if (require.main === module) runProcess(seedCommand);
