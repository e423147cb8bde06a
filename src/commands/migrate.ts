import { Command } from 'commander';
import { type Connection, mongo } from 'mongoose';
import { systemClock } from '#base/common/clock';
import { progressTo } from '#base/common/progressTo';
import { compareIndexes, type IndexComparison } from '#base/db/compareIndexes';
import { indexLabel } from '#base/db/indexSpecs';
import { lockHolder } from '#base/db/leases/locks';
import { makeIndexes } from '#base/db/makeIndexes';
import { prepareCollections } from '#base/db/prepareCollections';
import { type CommandStreams, runProcess } from '#commands/base/runCommand';
import { CommandError, requireUri, withStore } from '#commands/base/withDatabase';
import { appliedMigrations } from '#operations/migrations/applied';
import { migrations } from '#operations/migrations/list';
import { migrate, requirePending } from '#operations/migrations/migrate';
import { livingProcesses } from '#operations/migrations/processes';
import { isOfShardKey, readZones, shardScript } from '#operations/sharding/shardScript';
import type { Config } from '#platform/infrastructure/config';
import { resources } from '#server/services/resources';

/**
 * Makes the command `npm run migrate -- status | up | indexes | shards`, which upgrades a database without serving it and
 * says how it is sharded.
 */
export function migrateCommand(config: Config, streams: CommandStreams): Command {
  const command = new Command('migrate').description('Upgrades the database of an earlier version');
  command
    .command('status')
    .description('Say which migrations and indexes the database has, and which processes use it')
    .action(() => withStore(config, (db) => status(db, streams)));
  command
    .command('up')
    .description('Run the migrations that are missing, and make every missing index')
    .action(() => withStore(config, (db) => up(db, streams)));
  command
    .command('indexes')
    .description('List the indexes that are missing, differ, or are not used any more')
    .option('--prune', 'make those that are missing or differ, and drop those that are not used any more')
    .action(({ prune }: { prune?: boolean }) => withStore(config, (db) => indexes(db, streams, prune === true)));
  command
    .command('shards')
    .description('Print the lines for mongosh that shard the database')
    .option(
      '--zones <zones>',
      'zones in the order of the ids of orgs, each but the first with the id of its first org, such as eu,us:65f0c0ffee0000000000abcd',
    )
    .action(({ zones }: { zones?: string }) => shards(config, streams, zones));
  return command;
}

function shards(config: Config, { out }: CommandStreams, text: string | undefined): void {
  const zones = text === undefined ? [] : readZones(text);
  if (!zones) throw new CommandError(`--zones is like eu,us:65f0c0ffee0000000000abcd, with growing ids of orgs`);
  const database = new mongo.MongoClient(requireUri(config)).db().databaseName;
  for (const line of shardScript(database, resources, zones)) out(line);
}

async function status(db: Connection, { out }: CommandStreams): Promise<void> {
  const pending = new Set((await requirePending(db)).map(({ number }) => number));
  const applied = new Map((await appliedMigrations(db)).map((each) => [each._id, each]));
  for (const { number, name } of migrations) {
    const finishedAt = applied.get(number)?.finishedAt;
    const state = applied.has(number) && pending.has(number) ? 'begun' : 'missing';
    out(`${number}  ${finishedAt ? finishedAt.toISOString() : state}  ${name}`);
  }
  const holder = await lockHolder(db, 'migrations');
  if (holder) out(`Process ${holder.pid} on ${holder.host} upgrades the database: ${holder.note}`);
  for (const each of await livingProcesses(db)) {
    out(`${each.role} ${each.version} (build ${each.build}, level ${each.level}): process ${each.pid} on ${each.host}`);
  }
  for (const line of indexLines(await compared(db))) out(line);
}

async function up(db: Connection, { out, err }: CommandStreams): Promise<void> {
  const onProgress = progressTo({ write: (text) => err(text.trimEnd()) });
  const ran = await migrate(db, { clock: systemClock, onProgress });
  for (const { number, name } of ran) out(`Migration ${number} is done: ${name}`);
  await prepareCollections(db, resources, { onProgress });
  out('The database has every migration and every index of this version');
}

async function indexes(db: Connection, { out }: CommandStreams, prunes: boolean): Promise<void> {
  await requirePending(db);
  const found = await compared(db);
  for (const line of indexLines(found)) out(line);
  if (!prunes) return;
  // A missing index may take the place of one that is not used any more.
  for (const spec of found.missing) {
    await makeIndexes(db, [spec]);
    out(`Made ${indexLabel(spec)}`);
  }
  for (const { collection, name } of found.extra) {
    await db.collection(collection).dropIndex(name);
    out(`Dropped ${collection}.${name}`);
  }
  for (const spec of found.differing) {
    const present = await db.collection(spec.collection).indexes();
    const clashing = present.filter(
      ({ name, key }) => name === spec.name || JSON.stringify(key) === JSON.stringify(spec.key),
    );
    for (const { name = '' } of clashing) await db.collection(spec.collection).dropIndex(name);
    await makeIndexes(db, [spec]);
    out(`Made ${indexLabel(spec)} anew`);
  }
}

async function compared(db: Connection): Promise<IndexComparison> {
  const existing = new Set((await db.listCollections()).map(({ name }) => name));
  const found = await compareIndexes(db, resources, existing);
  return { ...found, extra: found.extra.filter((each) => !isOfShardKey(each)) };
}

function indexLines({ missing, differing, extra }: IndexComparison): string[] {
  return [
    ...missing.map((spec) => `missing  ${indexLabel(spec)}`),
    ...differing.map((spec) => `differs  ${indexLabel(spec)}`),
    ...extra.map((spec) => `not used  ${spec.collection}.${spec.name}`),
  ];
}

if (require.main === module) runProcess(migrateCommand);
