import { createReadStream, createWriteStream, statSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ObjectId } from 'bson';
import { Argument, Command, Option } from 'commander';
import { collectionOf } from '#base/db/collections';
import { progressBar } from '#commands/base/progressBar';
import { type CommandStreams, runProcess } from '#commands/base/runCommand';
import { CommandError } from '#commands/base/withDatabase';
import { withOrg } from '#commands/base/withOrg';
import { failedRows } from '#exchange/imports/failedRows';
import { receiveFile, releaseFile } from '#exchange/imports/file/receiveFile';
import { type FileFormat, fileFormats, type Import, importResource } from '#exchange/imports/import';
import type { ImportServices } from '#exchange/imports/kinds/importKind';
import { importKinds } from '#exchange/imports/kinds/importKinds';
import { type RequestedMapping, readRequestedMapping } from '#exchange/imports/mapping/readMapping';
import { runNextImport } from '#exchange/imports/run/runNextImport';
import { beginImport } from '#exchange/imports/startImport';
import type { Config } from '#platform/infrastructure/config';
import { type ImportKindName, importKindNames } from '#records/imports/importKindNames';
import type { Services } from '#server/services/services';

interface Options {
  org?: string;
  format?: FileFormat;
  dryRun?: boolean;
  errors?: string;
  bom?: boolean;
  mapping?: string;
  map?: string[];
  set?: string[];
  dateFormat?: string;
  timezone?: string;
  decimalComma?: string;
  amountFactor?: string;
  pointsFactor?: string;
}

/** Makes the command `npm run import`, which imports a file of records (docs/design/bulk.md). */
export function importCommand(config: Config, streams: CommandStreams): Command {
  return new Command('import')
    .description('Imports a file of records; what is stored already is left as it is')
    .addArgument(new Argument('<kind>', 'what the rows are').choices(importKindNames))
    .argument('<file>', 'the file: CSV with a header, or a JSON object on each line')
    .option('--org <code>', 'the org, default ORG')
    .addOption(new Option('--format <format>', 'the format, default by the name of the file').choices(fileFormats))
    .option('--dry-run', 'check every row, and store nothing')
    .option('--errors <file>', 'where to write the rows that failed')
    .option('--mapping <name>', 'the name of a kept mapping')
    .option('--map <column=field...>', 'the field of a column of the file, such as "Card number=loyaltyID"')
    .option('--set <field=value...>', 'a field with one value in every row')
    .option('--date-format <format>', 'how dates are written, such as dd.MM.yyyy')
    .option('--timezone <zone>', 'the time zone of these dates')
    .addOption(new Option('--decimal-comma <yes>', 'whether decimals have a comma').choices(['true', 'false']))
    .option('--amount-factor <factor>', 'what the value of activities is multiplied with')
    .option('--points-factor <factor>', 'what points are multiplied with')
    .option('--bom', 'begin this file with a byte order mark, if it is CSV')
    .action((kind: ImportKindName, file: string, options: Options) => run(config, streams, { kind, file, ...options }));
}

async function run(config: Config, streams: CommandStreams, options: Options & { kind: ImportKindName; file: string }) {
  const { kind, file, errors } = options;
  const format = options.format ?? (/\.(?:ndjson|jsonl)$/i.test(file) ? 'ndjson' : 'csv');
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) throw new CommandError(`There is no file ${file}`);
  await withOrg(config, options.org, async ({ services, org }) => {
    const needed = [...importKinds[kind].permissions, ...importKinds[kind].sometimes];
    const author = { org: org._id, userId: org.systemUser, via: 'host' as const, permissions: new Set(needed) };
    const mapping = requestedMapping(options, format);
    const _id = await begun(services, author, { kind, format, dryRun: options.dryRun === true, mapping, path: file });
    const following = new AbortController();
    const runs = keepRunning(services, _id, following.signal);
    const read = () => collectionOf(services.db, importResource).findOne({ _id });
    const job = await followed(read, streams).finally(() => following.abort());
    await runs;
    if (errors !== undefined && job.failed > 0) {
      const bom = options.bom === true && format === 'csv';
      await pipeline(failedRows(services.db, job, { bom }), createWriteStream(errors, { mode: 0o600 }));
    }
    report(job, errors, streams);
  });
}

/** The mapping of the options, read as the arguments of a request are. */
function requestedMapping(options: Options, format: FileFormat): RequestedMapping {
  const { mapping, dateFormat, timezone, decimalComma, amountFactor, pointsFactor } = options;
  const plain = Object.entries({ mapping, dateFormat, timezone, decimalComma, amountFactor, pointsFactor });
  const named = [...splitPairs('map', options.map), ...splitPairs('set', options.set)];
  const twin = named.find(([name], index) => named.findIndex(([other]) => other === name) !== index);
  if (twin) throw new CommandError(`${twin[0]} stands twice; say it once`);
  const all = [...named, ...plain.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))];
  return readRequestedMapping(Object.fromEntries(all), format);
}

/** The last `=` divides: columns of files may have others, fields have none. A constant is divided at the first. */
function splitPairs(option: 'map' | 'set', texts: readonly string[] = []): (readonly [string, string])[] {
  return texts.map((text) => {
    const at = option === 'map' ? text.lastIndexOf('=') : text.indexOf('=');
    if (at < 1) throw new CommandError(`--${option} ${text}: write name=value`);
    return [`${option}[${text.slice(0, at)}]`, text.slice(at + 1)] as const;
  });
}

async function begun(
  services: Services,
  author: Parameters<typeof beginImport>[1],
  { path, ...importing }: Omit<Parameters<typeof beginImport>[2], 'file'> & { path: string },
): Promise<ObjectId> {
  const file = await receiveFile(services, author, createReadStream(path));
  try {
    return (await beginImport(services, author, { ...importing, file }))._id;
  } finally {
    await releaseFile(services, file);
  }
}

const lookEveryMs = 250;

/** Runs the import in this process, unless a worker does. After a failure of the stores it is tried again. */
async function keepRunning(services: ImportServices, _id: ObjectId, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await runNextImport(services, signal, { only: _id }).catch(() => false);
    await sleep(lookEveryMs, undefined, { signal }).catch(() => undefined);
  }
}

/** Shows the progress of an import until it has ended, in whichever process. */
async function followed(read: () => Promise<Import | null>, streams: CommandStreams): Promise<Import> {
  const bar = progressBar('{bar} {percentage}% {rows} rows, {failed} failed, {eta_formatted} left', streams);
  bar.start(1, 0, { rows: 0, failed: 0 });
  try {
    for (;;) {
      const job = await read();
      if (!job) throw new CommandError('The import was deleted');
      const { rows, failed, bytes, bytesRead, status } = job;
      bar.setTotal(bytes);
      bar.update(bytesRead, { rows, failed });
      if (status !== 'Running') return job;
      await sleep(lookEveryMs);
    }
  } finally {
    bar.stop();
  }
}

function report(
  { status, dryRun, rows, created, updated, unchanged, failed, error, _id }: Import,
  errors: string | undefined,
  { out }: CommandStreams,
) {
  const would = dryRun ? 'would be ' : '';
  out(`${rows} rows: ${created} ${would}created, ${updated} ${would}updated, ${unchanged} unchanged, ${failed} failed`);
  if (status !== 'Done')
    throw new CommandError(`The import ${status === 'Failed' ? `failed: ${error}` : 'was stopped'}`);
  if (failed === 0) return;
  const where = errors ?? `GET /api/v1/imports/${_id.toHexString()}/errors`;
  throw new CommandError(`${failed} rows failed: see ${where}`);
}

if (require.main === module) runProcess(importCommand);
