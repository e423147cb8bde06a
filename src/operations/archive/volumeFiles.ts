import { createReadStream, existsSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { PassThrough, pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { type Static, Type } from '@sinclair/typebox';
import { EJSON, type ObjectId } from 'bson';
import { runningVersion } from '#base/common/version';
import { oneOf, record } from '#base/schema/atoms';
import { compileParse } from '#base/schema/parse';
import { hashFile, writeGzipped, writeSynced } from '#operations/backup/hashedFile';
import { type ArchiveKind, archiveKinds, type HashedFile, hashedFile } from '#records/archives/archiveVolume';

/** The file of a volume that says what it holds. */
export const manifestFile = 'manifest.json';

/** The file of records of a volume. */
export function recordsFile(kind: ArchiveKind): string {
  return `${kind}.ndjson.gz`;
}

const moment = Type.String({ maxLength: 40 });

const manifestShape = record({
  format: Type.Literal(1),
  volume: Type.String({ maxLength: 200 }),
  version: Type.String({ maxLength: 100 }),
  build: Type.String({ maxLength: 100 }),
  org: Type.String({ maxLength: 100 }),
  /** Absent in volumes of earlier versions, which had only histories. */
  kind: Type.Optional(oneOf(archiveKinds)),
  before: moment,
  writtenAt: moment,
  file: oneOf(archiveKinds.map(recordsFile)),
  /** The lowest and the highest id in the file. */
  first: Type.String({ maxLength: 24 }),
  last: Type.String({ maxLength: 24 }),
  ...hashedFile.properties,
});

/** What a volume of the archive holds. It is written last, so a folder without it is no volume. */
export type VolumeManifest = Static<typeof manifestShape>;

/** An archive that cannot be written or read, in one line. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError';
}

/** A record as it was stored, and its line in the file. */
export interface ArchivedRecord {
  record: Record<string, unknown> & { _id: ObjectId };
  line: string;
}

/** The line of a record: extended JSON, as MongoDB's own tools read it. */
export function recordLine(stored: object): string {
  return EJSON.stringify(stored);
}

/** Which volume is written. */
export interface VolumeInput {
  name: string;
  kind: ArchiveKind;
  org: string;
  before: Date;
  writtenAt: Date;
}

/**
 * Writes a volume. Its folder has its name when everything is on the disk.
 * @returns undefined when there is nothing to write; then there is no folder
 */
export async function writeVolume(
  root: string,
  { name, kind, org, before, writtenAt }: VolumeInput,
  records: AsyncIterable<ArchivedRecord['record']>,
): Promise<HashedFile | undefined> {
  const partial = path.join(root, `${name}.partial`);
  await mkdir(partial, { recursive: true, mode: 0o700 });
  let documents = 0;
  let [first, last] = ['', ''];
  const file = recordsFile(kind);
  const hash = await writeGzipped(path.join(partial, file), async function* () {
    for await (const each of records) {
      documents += 1;
      const id = each._id.toHexString();
      if (!first || id < first) first = id;
      if (id > last) last = id;
      yield `${recordLine(each)}\n`;
    }
  });
  if (documents === 0) {
    await rm(partial, { recursive: true });
    return undefined;
  }
  const manifest: VolumeManifest = {
    format: 1,
    volume: name,
    ...runningVersion(),
    org,
    kind,
    before: before.toISOString(),
    writtenAt: writtenAt.toISOString(),
    file,
    first,
    last,
    documents,
    ...hash,
  };
  await writeSynced(path.join(partial, manifestFile), `${JSON.stringify(manifest, null, 2)}\n`);
  await syncFolder(partial);
  await rename(partial, path.join(root, name));
  await syncFolder(root);
  return { documents, ...hash };
}

/** Waits until the names in a folder are on the disk. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Removes what a run has left of a volume from which nothing was deleted in the database. */
export async function removeVolume(root: string, name: string): Promise<void> {
  await rm(path.join(root, `${name}.partial`), { recursive: true, force: true });
  await rm(path.join(root, name), { recursive: true, force: true });
}

/**
 * The names of the whole volumes in a folder, in order.
 * @throws ArchiveError when there is none: another folder was named than that of the archive
 */
export async function volumesIn(root: string): Promise<string[]> {
  const names = await readdir(root).catch(() => {
    throw new ArchiveError(`${root} cannot be read: name the folder of the archive`);
  });
  const volumes = names.filter((name) => !name.endsWith('.partial') && existsSync(path.join(root, name, manifestFile)));
  if (volumes.length === 0) throw new ArchiveError(`${root} has no volume: name the folder of the archive`);
  return volumes.sort();
}

const parseManifest = compileParse(manifestShape);

/**
 * Reads all of a volume: its manifest, the hash of its file and each record in it.
 * @throws ArchiveError when the volume is missing or damaged
 */
export async function verifyVolume(root: string, name: string): Promise<VolumeManifest> {
  const folder = path.join(root, name);
  const manifest = await readManifest(root, name);
  const found = await hashFile(path.join(folder, manifest.file)).catch(() => undefined);
  if (found?.bytes !== manifest.bytes || found.sha256 !== manifest.sha256)
    throw new ArchiveError(`${name} is damaged: its file is not that of its manifest`);
  let documents = 0;
  for await (const { record: stored } of readVolume(root, name)) if (stored._id) documents += 1;
  if (documents !== manifest.documents)
    throw new ArchiveError(`${name} has ${documents} records instead of ${manifest.documents}`);
  return manifest;
}

/** @throws ArchiveError when the folder is no whole volume */
export async function readManifest(root: string, name: string): Promise<VolumeManifest> {
  const folder = path.join(root, name);
  const file = path.join(folder, manifestFile);
  const text = await readFile(file, 'utf8').catch(() => {
    throw new ArchiveError(`${folder} is no volume of an archive: it has no ${manifestFile}`);
  });
  try {
    return parseManifest(JSON.parse(text));
  } catch {
    throw new ArchiveError(`${file} is damaged, or of a later version`);
  }
}

/** Reads the records of a volume in the order in which they were written. Its hash is not compared. */
export async function* readVolume(root: string, name: string): AsyncGenerator<ArchivedRecord, void, undefined> {
  const { file } = await readManifest(root, name);
  const compressed = createReadStream(path.join(root, name, file));
  // An error of any part ends the reading below.
  const texts = pipeline(compressed, createGunzip(), new PassThrough({ encoding: 'utf8' }), () => undefined);
  // Only a line feed ends a line: texts may have other separators of lines, which readline also splits at.
  let rest = '';
  for await (const text of texts as AsyncIterable<string>) {
    const lines = `${rest}${text}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield { line, record: EJSON.parse(line) as ArchivedRecord['record'] };
  }
  if (rest !== '') throw new ArchiveError(`${name} ends within a record`);
}
