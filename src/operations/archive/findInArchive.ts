import { ArchiveError, readManifest, readVolume, volumesIn } from './volumeFiles';

/** An archived record, and the volume that has it. */
interface FoundInArchive {
  volume: string;
  line: string;
}

/**
 * Finds an activity by its id or its `externalTxnId`. A record that changed after it was written is in a later volume
 * too, which counts; so volumes are read from the latest to the first.
 * @throws ArchiveError when no volume has it
 */
export async function findInArchive(root: string, id: string): Promise<FoundInArchive> {
  const names = await volumesIn(root);
  const volumes = await Promise.all(names.map((name) => readManifest(root, name)));
  volumes.sort((a, b) => b.writtenAt.localeCompare(a.writtenAt));
  for (const { volume } of volumes) {
    for await (const { line, record } of readVolume(root, volume)) {
      if (record._id.toHexString() === id || record.externalTxnId === id) return { volume, line };
    }
  }
  throw new ArchiveError(`No volume in ${root} has the activity ${id}: check the id, or name the folder of its volume`);
}
