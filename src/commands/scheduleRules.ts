import path from 'node:path';
import { Command } from 'commander';
import type { Connection } from 'mongoose';
import type { LocalDay } from '#base/calendar/localCalendar';
import { dayOfText, isDayText, startOfDay } from '#base/calendar/windows';
import { systemClock } from '#base/common/clock';
import { ServiceError } from '#base/common/errors';
import { collectionOf } from '#base/db/collections';
import { parseInstant } from '#base/schema/instant';
import type { CommandStreams } from '#commands/base/runCommand';
import { CommandError, withDatabase } from '#commands/base/withDatabase';
import type { Config } from '#platform/infrastructure/config';
import { orgClock } from '#platform/orgs/orgClock';
import { faultLine } from '#publishing/rulesets/files/logLoad';
import { readFiles } from '#publishing/rulesets/files/readFiles';
import type { RollbackSource } from '#publishing/rulesets/rollBack';
import { scheduleRules, withdrawRules } from '#publishing/rulesets/scheduleRules';
import { type Program, programResource } from '#records/programs/program';
import { type Org, orgResource } from '#records/users/org';

type ScheduleConfig = Pick<Config, 'MONGODB_URI' | 'dataDir' | 'ORG'>;

/** Makes the commands `schedule` and `withdraw`. */
export function scheduleCommands(config: ScheduleConfig, streams: CommandStreams): Command[] {
  return [
    new Command('schedule')
      .argument('<dir>')
      .description('put the rule files of a folder with program folders into force at a moment')
      .requiredOption(
        '--from <moment>',
        'a day of the program, such as 2026-12-01, from its beginning; or a moment, such as 2026-12-01T06:00:00-05:00',
      )
      .action((dir: string, { from }: { from: string }) => scheduleFiles(config, { dir, from }, streams)),
    new Command('withdraw')
      .argument('<version>')
      .description('withdraw a scheduled version before it comes into force')
      .action((version: string) => withdrawVersion(config, version, streams)),
  ];
}

/**
 * `npm run rules -- schedule <dir> --from <instant>`: schedules the rule files in the program folders of a folder.
 * @throws CommandError with the faults of the files or of the instant
 */
async function scheduleFiles(
  config: ScheduleConfig,
  { dir, from }: { dir: string; from: string },
  { out }: CommandStreams,
): Promise<void> {
  const start = readFrom(from);
  await inOrg(config, async (db, org) => {
    const programs = await collectionOf(db, programResource).find({ org: org._id }).toArray();
    const folder = path.resolve(dir);
    const { files, faults, strays } = await readFiles(
      folder,
      programs.map(({ code }) => code),
    );
    const found = [...faults, ...strays];
    if (found.length > 0) throw new CommandError(found.map(faultLine).join('\n'));
    if (files.length === 0)
      throw new CommandError(`No rule files in ${folder}: it must hold a folder for each program`);
    const codes = new Set(files.map((file) => file.path.split('/', 1)[0]));
    const own = programs.filter(({ code }) => codes.has(code));
    const startsAt = scheduleStart(start, own);
    const version = await scheduleRules(rollbackSource(db, org), { files }, startsAt);
    out(`Rule set ${version} comes into force at ${startsAt.toISOString()}`);
  });
}

/** What `--from` says: a day of the programs, or an instant. */
type From = { text: string; day: LocalDay } | { text: string; at: Date };

/** @throws CommandError when the option is neither a day nor an instant with its offset from UTC */
function readFrom(text: string): From {
  if (isDayText(text)) return { text, day: dayOfText(text) };
  const at = parseInstant(text);
  if (at && /(?:Z|[+-]\d\d:?\d\d)$/.test(text)) return { text, at };
  throw new CommandError(
    `--from ${text} ${at ? 'does not say its offset from UTC' : 'is no date'}: write a day, such as 2026-12-01, or a ` +
      'moment with its offset, such as 2026-12-01T06:00:00-05:00 (or 2026-12-01T11:00:00Z, which is the same)',
  );
}

/**
 * The instant that `--from` means. A day begins at midnight in the time zone of the programs.
 * @throws CommandError when they have several zones, in which the day begins at different instants
 */
function scheduleStart(from: From, programs: readonly Pick<Program, 'code' | 'timezone'>[]): Date {
  if ('at' in from) return from.at;
  const begins = programs.map(({ code, timezone }) => ({ code, at: startOfDay(from.day, timezone) }));
  const [first] = begins;
  if (first && begins.every(({ at }) => at.getTime() === first.at.getTime())) return first.at;
  const dates = begins.map(({ code, at }) => `in ${code} at ${at.toISOString()}`).join(', ');
  throw new CommandError(
    `--from ${from.text} begins ${dates}: write one moment with its offset, or schedule them apart`,
  );
}

/** `npm run rules -- withdraw <version>`. @throws CommandError when the version is not scheduled */
async function withdrawVersion(config: ScheduleConfig, versionText: string, { out }: CommandStreams): Promise<void> {
  if (!/^[1-9]\d{0,14}$/.test(versionText)) throw new CommandError('The version must be a number, at least 1');
  await inOrg(config, async (db, org) => {
    await withdrawRules(rollbackSource(db, org), Number(versionText));
    out(`Rule set ${versionText} is withdrawn`);
  });
}

/** The rules of an org, at the time of the org: a sandbox has its own clock. */
function rollbackSource(db: Connection, org: Org): RollbackSource {
  const author = { org: org._id, userId: org.systemUser, via: 'host' as const };
  return { db, clock: orgClock(systemClock, org.sandbox ?? {}), author };
}

async function inOrg(config: ScheduleConfig, act: (db: Connection, org: Org) => Promise<void>): Promise<void> {
  await withDatabase(config, async (db) => {
    const org = await collectionOf(db, orgResource).findOne({ code: config.ORG });
    if (!org) throw new CommandError(`There is no org ${config.ORG}`);
    await act(db, org).catch((error: unknown) => {
      if (!(error instanceof ServiceError)) throw error;
      const faults = (error.details.errors ?? []).map(({ path: at, message }) => `${at}: ${message}`);
      throw new CommandError([error.message, ...faults].join('\n'));
    });
  });
}
