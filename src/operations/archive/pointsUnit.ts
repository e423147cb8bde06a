import type { ObjectId } from 'bson';
import type { JournalEntry } from '#records/points/journalEntry';
import type { Lot } from '#records/points/lot';

/** A lot as it is stored, with its stamps. */
export type StoredLot = Lot & { createdAt: Date; externalId?: string };

/** An entry as it is stored, with its stamps. */
export type StoredEntry = JournalEntry & { createdAt: Date };

/** What is archived together: a lot with all of its entries, or an entry of no lot. Its id is that of the lot or entry. */
export interface PointsUnit extends Record<string, unknown> {
  _id: ObjectId;
  lot?: StoredLot;
  entries: StoredEntry[];
}
