import { type Static, Type } from '@sinclair/typebox';
import { count, instant, list, objectId, oneOf, record, text } from '#base/schema/atoms';
import { type DocOf, defineResource } from '#base/schema/resource';

/** What tells a file from any other: its size, and the SHA-256 of all of it. */
export const hashedFile = record({
  documents: count(),
  bytes: count(),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$', examples: ['0'.repeat(64)] }),
});

/** The size and the hash of a file. */
export type HashedFile = Static<typeof hashedFile>;

/** What a volume has records of. */
export const archiveKinds = ['histories', 'submissions', 'points'] as const;

/** See {@link archiveKinds}. */
export type ArchiveKind = (typeof archiveKinds)[number];

/**
 * The volumes of the archive of an org: each is a folder with one file of records that this database had
 * (docs/design/archive.md). Not reachable over HTTP.
 */
export const archiveVolumeResource = defineResource({
  name: 'ArchiveVolume',
  path: 'archivevolumes',
  isInternal: true,
  fields: {
    name: text(200, { description: 'Name of the folder' }),
    /** `writing`: nothing is deleted yet. `written`: the file is whole, and its records are being deleted. */
    state: oneOf(['writing', 'written', 'settled']),
    /** Absent in volumes of earlier versions, which had only histories. */
    kind: Type.Optional(oneOf(archiveKinds)),
    before: instant(),
    /** Where the command wrote it; it may have been moved since. */
    path: text(4000),
    file: Type.Optional(hashedFile),
    /** Records of the file that were deleted here. The others changed after they were written, and stayed. */
    removed: count(),
    /** Of submissions: how many of their keys are remembered. */
    keys: Type.Optional(count()),
    /** Of histories: the programs whose archived activities have amounts. Absent in volumes of earlier versions. */
    amountsOf: Type.Optional(list(objectId('Program'), 10_000)),
  },
  indexes: [{ keys: { org: 1, state: 1 } }],
});

export type ArchiveVolume = DocOf<typeof archiveVolumeResource>;
