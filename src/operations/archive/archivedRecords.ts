import type { ClientSession, Connection } from 'mongoose';
import type { ArchiveKind } from '#records/archives/archiveVolume';
import { archivableHistories, moveHistories } from './archiveHistories';
import { archivablePoints, latestForPoints, movePoints } from './archivePoints';
import type { ArchiveScope, MovedTo } from './archiveScope';
import { archivableSubmissions, moveSubmissions } from './archiveSubmissions';
import type { ArchivedRecord } from './volumeFiles';

/** How records of one kind are archived. */
interface ArchivedRecords {
  kind: ArchiveKind;
  /** What may be archived, each once, in an order in which later runs go too. */
  read(db: Connection, scope: ArchiveScope): AsyncIterator<ArchivedRecord['record'], void, undefined>;
  /** Deletes what a volume has, as far as it is unchanged and still not needed. @returns how many records it deleted */
  move(db: Connection, session: ClientSession, movedTo: MovedTo, records: readonly ArchivedRecord[]): Promise<number>;
}

/**
 * The kinds of records in the order in which they are archived: submissions and points go when the histories of their
 * activities have gone.
 */
export const archivedRecords: readonly ArchivedRecords[] = [
  {
    kind: 'histories',
    read: (db, { org, before }) => archivableHistories(db, org, before),
    move: moveHistories,
  },
  {
    kind: 'submissions',
    read: (db, { org, before }) => archivableSubmissions(db, org, before),
    move: moveSubmissions,
  },
  {
    kind: 'points',
    read: (db, scope) => {
      const latest = latestForPoints(scope.clock.now());
      return archivablePoints(db, { ...scope, before: new Date(Math.min(Number(scope.before), Number(latest))) });
    },
    move: movePoints,
  },
];
