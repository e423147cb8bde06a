import type { ObjectId } from 'bson';
import { type ArchivedRecord, ArchiveError, readManifest, readVolume, volumesIn } from './volumeFiles';

/** An archived record, and the volume that has it. */
interface FoundInArchive {
  volume: string;
  line: string;
}

/** A record of any kind of volume, as far as it names itself and what belongs to it. */
type Named = ArchivedRecord['record'] & {
  key?: string;
  externalTxnId?: string;
  lot?: { activity?: ObjectId; member: ObjectId };
  entries?: { _id: ObjectId; activity?: ObjectId; member: ObjectId }[];
};

/**
 * Finds records: an activity by its id or its `externalTxnId`, with its submission and the points that it changed; a lot
 * or a journal entry by its id; the points of a member by the member's id. A record that changed after it was written is
 * in a later volume too, which counts; so volumes are read from the latest to the first, and each record is found once.
 * @throws ArchiveError when no volume has any
 */
export async function* findInArchive(root: string, id: string): AsyncGenerator<FoundInArchive, void, undefined> {
  const names = await volumesIn(root);
  const volumes = await Promise.all(names.map((name) => readManifest(root, name)));
  volumes.sort((a, b) => b.writtenAt.localeCompare(a.writtenAt));
  const found = new Set<string>();
  for (const { volume, file } of volumes) {
    for await (const { line, record } of readVolume(root, volume)) {
      const name = `${file} ${record._id}`;
      if (found.has(name) || !namesOf(record).includes(id)) continue;
      found.add(name);
      yield { volume, line };
    }
  }
  if (found.size > 0) return;
  throw new ArchiveError(`No volume in ${root} has ${id}: check the id, or name the folder of its volume`);
}

function namesOf({ _id, key, externalTxnId, lot, entries = [] }: Named): (string | undefined)[] {
  const ids = [_id, lot?.activity, lot?.member, ...entries.flatMap((each) => [each._id, each.activity, each.member])];
  return [key, externalTxnId, ...ids.map((each) => each?.toHexString())];
}
