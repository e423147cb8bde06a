import { ServiceError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import type { Infrastructure } from '#platform/infrastructure/infrastructure';
import { contentHash } from '#publishing/rulesets/files/contentHash';
import { filesOnDisk } from './filesOnDisk';
import type { RuleProposal } from './ruleProposal';

type ProposedFiles = Pick<RuleProposal, 'org' | 'files' | 'folderHash'>;

/**
 * The first file that is not as it was when a proposal was made; undefined when there is none. A file that is already
 * as proposed counts as unchanged: the process of an approval may have ended after it wrote the file.
 */
export async function changedSince(
  services: Pick<Infrastructure, 'db' | 'config'>,
  { org, files, folderHash }: ProposedFiles,
): Promise<string | undefined> {
  const disk = await filesOnDisk(services, org, files);
  // A schedule replaces whole programs, so it would undo any other change of them.
  if (folderHash !== undefined) return contentHash(disk) === folderHash ? undefined : files[0]?.path;
  const texts = new Map(disk.map(({ path, text }) => [path, text]));
  return files.find(({ path, text, before }) => ![before, text].includes(texts.get(path)))?.path;
}

/**
 * Requires that the files of a proposal are as they were when it was made.
 * @throws ServiceError 1280 when one is another by now
 */
export async function requireCurrent(
  services: Pick<Infrastructure, 'db' | 'config'>,
  proposal: ProposedFiles,
): Promise<void> {
  const changed = await changedSince(services, proposal);
  if (changed === undefined) return;
  throw new ServiceError('versionDiffers', message('proposals.changedSince', { path: changed }));
}
