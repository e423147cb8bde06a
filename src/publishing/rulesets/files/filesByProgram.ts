import { pushTo } from '#base/common/lists/groupBy';
import { folderOfFault, rootFolder } from '#engine/rules/read/programFaults';
import { contentHash } from './contentHash';
import type { FilesRead } from './readFiles';

/** The programs with files, and a hash of these files and of the faults of those that cannot be read. */
export type FilesByProgram = ReadonlyMap<string, string>;

/** Groups the files of an org by program. */
export function filesByProgram({ files, faults }: Pick<FilesRead, 'files' | 'faults'>): FilesByProgram {
  const grouped = new Map<string, unknown[]>();
  for (const file of files) pushTo(grouped, file.path.split('/', 1)[0] ?? '', file);
  for (const fault of faults) if (folderOfFault(fault) !== rootFolder) pushTo(grouped, folderOfFault(fault), fault);
  return new Map([...grouped].map(([code, values]) => [code, contentHash(values)]));
}
