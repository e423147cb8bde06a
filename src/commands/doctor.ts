import { Command } from 'commander';
import { Redis } from 'ioredis';
import { systemClock } from '#base/common/clock';
import { connect } from '#base/db/connect';
import { type CommandStreams, runProcess } from '#commands/base/runCommand';
import { CommandError, requireUri } from '#commands/base/withDatabase';
import type { Deployment } from '#commands/doctor/check';
import { type Report, runChecks } from '#commands/doctor/runChecks';
import { findRunning } from '#operations/embedded/findRunning';
import type { Config } from '#platform/infrastructure/config';
import { firstLine } from '#server/startUp/retryPolicy';

/** Makes the command `npm run doctor`, which checks a deployment and says what to do. It changes nothing. */
export function doctorCommand(config: Config, streams: CommandStreams): Command {
  return new Command('doctor')
    .description('Checks the deployment: stores, clocks, disk, indexes, rules, timers, secrets')
    .option('--json', 'write the report as JSON')
    .action(({ json }: { json?: boolean }) => examine(config, json === true, streams));
}

async function examine(config: Config, asJson: boolean, { out }: CommandStreams): Promise<void> {
  const reports = await withDeployment(config, (at) => runChecks(at));
  if (asJson) out(JSON.stringify(reports, null, 2));
  else for (const line of reportTable(reports)) out(line);
  const failures = reports.filter(({ status }) => status === 'failure').length;
  const warnings = reports.filter(({ status }) => status === 'warning').length;
  const summary = `${reports.length} checks: ${failures} failures, ${warnings} warnings`;
  if (failures > 0) throw new CommandError(summary);
  if (!asJson) out(summary);
}

const marks = { ok: 'ok     ', warning: 'warning', failure: 'FAILURE' } as const;

function reportTable(reports: readonly Report[]): string[] {
  const width = Math.max(...reports.map(({ name }) => name.length));
  return reports.flatMap(({ name, status, found, advice }) => [
    `${marks[status]}  ${name.padEnd(width)}  ${found}`,
    ...(advice ? [`${' '.repeat(width + 11)}-> ${advice}`] : []),
  ]);
}

const redisWaitMs = 3000;

async function withDeployment<T>(config: Config, work: (at: Deployment) => Promise<T>): Promise<T> {
  const uri = requireUri(config);
  const running = findRunning(config.dataDir);
  const redis = new Redis(config.REDIS_URL ?? running?.redisUrl ?? '', {
    lazyConnect: true,
    maxRetriesPerRequest: 0,
    connectTimeout: redisWaitMs,
    commandTimeout: redisWaitMs,
    retryStrategy: () => null,
  });
  redis.on('error', () => undefined);
  let away = '';
  const db = await connect(uri, { maxPoolSize: 10 }).catch((error: unknown) => {
    away = `MongoDB cannot be reached (${firstLine(error)})`;
    return undefined;
  });
  const isEmbedded = config.MONGODB_URI === undefined;
  const at: Deployment = {
    config,
    redis,
    isEmbedded,
    now: systemClock.now(),
    nodeVersion: process.version,
    // So every check that needs it fails with the reason.
    get db() {
      if (!db) throw new Error(away);
      return db;
    },
  };
  try {
    return await work(at);
  } finally {
    redis.disconnect();
    await db?.destroy();
  }
}

if (require.main === module) runProcess(doctorCommand);
