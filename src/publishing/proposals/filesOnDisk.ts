import type { ObjectId } from 'bson';
import type { Infrastructure } from '#platform/infrastructure/infrastructure';
import { type EditedFile, pathProgramCode } from '#publishing/ruleEditor/editedFiles';
import { orgFolder } from '#publishing/ruleEditor/orgFolder';
import { readFiles } from '#publishing/rulesets/files/readFiles';

/** All files in the folder of rules of the programs that some files belong to, as they are now. */
export async function filesOnDisk(
  services: Pick<Infrastructure, 'db' | 'config'>,
  org: ObjectId,
  files: readonly Pick<EditedFile, 'path'>[],
): Promise<EditedFile[]> {
  const codes = new Set(files.map(({ path }) => pathProgramCode(path)));
  if (codes.size === 0) return [];
  const { folder } = await orgFolder(services, org);
  return (await readFiles(folder, codes)).files;
}
