import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type Static, Type } from '@sinclair/typebox';
import { record } from '#base/schema/atoms';
import { compileParse } from '#base/schema/parse';

/** The names of the files of a backup other than those of the collections. */
export const backupFiles = { manifest: 'manifest.json', secrets: 'secrets.json' } as const;

const fileName = Type.String({ pattern: '^[\\w.-]{1,200}$' });
const hash = Type.String({ pattern: '^[0-9a-f]{64}$' });

const manifestShape = record({
  format: Type.Literal(1),
  version: Type.String({ maxLength: 100 }),
  build: Type.String({ maxLength: 100 }),
  /** The schema level of the data. */
  level: Type.Integer({ minimum: 0 }),
  /** The instant that the backup shows, to the second. */
  takenAt: Type.String({ maxLength: 40 }),
  org: Type.Optional(Type.String({ maxLength: 100 })),
  hasSecrets: Type.Boolean(),
  collections: Type.Array(
    record({
      name: fileName,
      file: fileName,
      documents: Type.Integer({ minimum: 0 }),
      bytes: Type.Integer({ minimum: 0 }),
      sha256: hash,
    }),
    { maxItems: 1000 },
  ),
});

/** What a backup holds. It is written last, so a folder without it is no backup. */
export type Manifest = Static<typeof manifestShape>;

/** A collection in a backup: a file of BSON documents, gzipped, as `mongodump --gzip` writes it. */
export type SavedCollection = Manifest['collections'][number];

/** A backup that cannot be made or used, in one line. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

const parse = compileParse(manifestShape);

/** @throws BackupError when the folder holds no whole backup */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(path.join(folder, backupFiles.manifest), 'utf8').catch(() => {
    throw new BackupError(
      `${folder} is no whole backup: it has no ${backupFiles.manifest}; name a folder that npm run backup made`,
    );
  });
  try {
    return parse(JSON.parse(text));
  } catch {
    throw new BackupError(`${path.join(folder, backupFiles.manifest)} is damaged, or of a later version`);
  }
}
