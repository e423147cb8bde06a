import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { ObjectId } from 'bson';
import { Argument, Command, Option } from 'commander';
import type { Connection } from 'mongoose';
import { systemClock } from '#base/common/clock';
import { progressTo } from '#base/common/progressTo';
import { readableFields } from '#base/query/fields';
import { parseQuery } from '#base/query/parseQuery';
import { type CommandStreams, runProcess } from '#commands/base/runCommand';
import { CommandError, withDatabase } from '#commands/base/withDatabase';
import { orgNamed } from '#commands/base/withOrg';
import { exportedResources } from '#exchange/exports/exportKinds';
import { exportTexts } from '#exchange/exports/exportTexts';
import { type FileFormat, fileFormats } from '#exchange/imports/import';
import { createPrepareRead } from '#members/aggregates/prepareRead';
import { shownMembers } from '#members/members/presentMembers';
import type { Config } from '#platform/infrastructure/config';
import { loadProgramCatalog } from '#programs/programs/programCatalog';
import { memberResource } from '#records/members/member';

interface Options {
  org?: string;
  format: FileFormat;
  query?: string;
  out?: string;
  bom?: boolean;
}

const kinds = exportedResources.map(({ path }) => path);

/** Makes the command `npm run export`, which writes records of an org to a file or the standard output. */
export function exportCommand(config: Config, streams: CommandStreams): Command {
  return new Command('export')
    .description('Exports records of an org, in the order of their ids')
    .addArgument(new Argument('<kind>', 'the collection').choices(kinds))
    .option('--org <code>', 'the org, default ORG')
    .addOption(
      new Option('--format <format>', 'CSV, or a JSON object on each line').choices(fileFormats).default('csv'),
    )
    .option('--query <filter>', 'a filter, as the argument query of lists')
    .option('--bom', 'begin a CSV file with a byte order mark, by which Excel knows that it is UTF-8')
    .option('--out <file>', 'the file, default the standard output')
    .action((kind: string, options: Options) => run(config, streams, kind, options));
}

async function run(config: Config, streams: CommandStreams, kind: string, options: Options) {
  const { org: code, format, query, out, bom = false } = options;
  if (bom && format !== 'csv') throw new CommandError('--bom is for --format csv alone');
  const resource = exportedResources.find(({ path }) => path === kind);
  if (!resource) throw new CommandError(`There is nothing to export as ${kind}`);
  const { filter } = parseQuery(query === undefined ? {} : { query }, readableFields(resource));
  await withDatabase(config, async (db) => {
    const org = await orgNamed(db, code ?? config.ORG);
    const prepareRead = createPrepareRead((error) => streams.err(notUpToDate(error)));
    const source = await prepareRead(db, resource, { org: org._id, filter, now: systemClock.now() });
    const present = kind === memberResource.path ? { present: await presentIn(db, org._id) } : {};
    const texts = exportTexts({ db, org: org._id, resource: source, filter, format, bom, ...present });
    const written = counted(texts, format, streams);
    if (out === undefined) await pipeline(written, process.stdout, { end: false });
    else await pipeline(written, createWriteStream(out, { mode: 0o600 }));
  });
}

function notUpToDate(error: unknown): string {
  return `Larger periods are exported as they were rolled up last: ${error}`;
}

/** Shows members as reads over HTTP do. */
async function presentIn(db: Connection, org: ObjectId) {
  const catalog = await loadProgramCatalog(db, org);
  return async (members: Record<string, unknown>[]) => shownMembers(members, catalog);
}

/** The same texts. The number of records is shown while they are written, and at the end. */
async function* counted(texts: AsyncGenerator<string, void, undefined>, format: FileFormat, { err }: CommandStreams) {
  const progress = progressTo({ write: (text) => err(text.trimEnd()) });
  let records = format === 'csv' ? -1 : 0;
  for await (const text of texts) {
    yield text;
    records += text.split('\n').length - 1;
    progress(`${records} records`, true);
  }
  progress(`${records} records exported`);
}

if (require.main === module) runProcess(exportCommand);
