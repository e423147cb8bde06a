import { codeOf } from './errorCode';
import { LeavesFolder } from './orgRoot';

const reasons: Record<string, string> = {
  EACCES: 'the service has no right to read it',
  EPERM: 'the service has no right to read it',
  ELOOP: 'its symbolic links lead in a circle',
  ENOENT: 'it was removed meanwhile, or is a link to nothing',
  EISDIR: 'it is a folder',
  ENOTDIR: 'it is not a folder',
};

/** Why a file or folder is not read, for whoever put it there. */
export function reasonOf(error: unknown): string {
  if (error instanceof LeavesFolder) return 'is not read: its symbolic link leads out of the folder of rules';
  const code = codeOf(error);
  return `cannot be read: ${reasons[code] ?? code}`;
}
