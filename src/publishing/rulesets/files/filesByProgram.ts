import { folderOfFault, rootFolder } from '#engine/rules/read/programFaults';
import { contentHash } from './contentHash';
import type { FilesRead } from './readFiles';

/** The programs with files, and a hash of these files and of the faults of those that cannot be read. */
export type FilesByProgram = ReadonlyMap<string, string>;

/** Groups the files of an org by program. */
export function filesByProgram({ files, faults }: Pick<FilesRead, 'files' | 'faults'>): FilesByProgram {
  const grouped = new Map<string, unknown[]>();
  const add = (code: string, value: unknown) => {
    const known = grouped.get(code);
    if (known) known.push(value);
    else grouped.set(code, [value]);
  };
  for (const file of files) add(file.path.split('/', 1)[0] ?? '', file);
  for (const fault of faults) if (folderOfFault(fault) !== rootFolder) add(folderOfFault(fault), fault);
  return new Map([...grouped].map(([code, values]) => [code, contentHash(values)]));
}
