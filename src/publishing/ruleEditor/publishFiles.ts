import { type Static, Type } from '@sinclair/typebox';
import type { ObjectId } from 'bson';
import { ServiceError, validationError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { list, record } from '#base/schema/atoms';
import { folderOfFault, rootFolder } from '#engine/rules/read/programFaults';
import type { RuleFault } from '#engine/rules/source/ruleSource';
import type { Auditor } from '#platform/audit/auditor';
import type { Infrastructure } from '#platform/infrastructure/infrastructure';
import { changesBetween, type RuleChanges } from '#publishing/rulesets/aside/plannedChange';
import { readFiles } from '#publishing/rulesets/files/readFiles';
import { ruleSetInForce } from '#publishing/rulesets/ruleSetInForce';
import type { RuleSets } from '#publishing/rulesets/ruleSets';
import { type EditedFile, editedFiles, pathProgramCode } from './editedFiles';
import { orgFolder } from './orgFolder';
import { readEdited } from './readEdited';
import { ruleFieldError } from './ruleFieldError';
import { hashOfText } from './ruleFile';
import { writeFiles } from './writeFiles';

const sentFile = record({
  ...editedFiles.items.properties,
  hash: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'The hash of the file that was changed, or `none` for a new one; 412 when it is another by now',
    }),
  ),
});

/** Files to publish. */
export const sentFilesToPublish = list(sentFile, editedFiles.maxItems, { minItems: 1 });

type SentFile = Static<typeof sentFile>;

/** What putting files into force needs. */
export type PublishServices = Pick<Infrastructure, 'db' | 'config'> & { ruleSets: RuleSets };

/**
 * Checks files as a load would, with all other files of their programs.
 * @throws ServiceError 1200 with the faults; 1280 when a file is not the one that was changed
 */
export async function checkFiles(
  services: Pick<Infrastructure, 'db' | 'config'>,
  org: ObjectId,
  files: readonly SentFile[],
): Promise<void> {
  await requireUnchanged(services, org, files);
  const { errors } = await readEdited(services, org, files);
  if (errors.length > 0) throw validationError(errors.map(ruleFieldError));
}

/**
 * Writes checked files into the folder of rules and loads it.
 * @returns the version in force, and how its rules differ from those in force before
 * @throws ServiceError 1200 with the faults of the load, or when the folder cannot be written
 */
export async function publishFiles(
  services: PublishServices,
  by: Auditor,
  files: readonly EditedFile[],
): Promise<{ version: number | undefined } & RuleChanges> {
  const { folder } = await orgFolder(services, by.org);
  const before = await ruleSetInForce(services.db, by.org);
  await writeFiles(folder, files);
  const result = await services.ruleSets.publish(by.org, by);
  // Faults of other programs were there before; they do not concern these files.
  const codes = new Set([rootFolder, ...files.map((file) => pathProgramCode(file.path))]);
  const own = result.errors.filter((fault) => codes.has(folderOfFault(withoutOrg(fault))));
  if (own.length > 0) throw validationError(own.map(ruleFieldError));
  const after = await ruleSetInForce(services.db, by.org);
  return { version: result.version, ...(await changesBetween(services.db, before, after)) };
}

/** The faults of a load name the folder of an org, `@<org>/`, before the file. */
function withoutOrg(fault: RuleFault): RuleFault {
  return { ...fault, file: fault.file.replace(/^@[^/]*\//, '') };
}

async function requireUnchanged(
  services: Pick<Infrastructure, 'db' | 'config'>,
  org: ObjectId,
  files: readonly SentFile[],
): Promise<void> {
  const { folder } = await orgFolder(services, org);
  const disk = await readFiles(folder, new Set(files.map(({ path }) => pathProgramCode(path))));
  const hashes = new Map(disk.files.map(({ path, text }) => [path, hashOfText(text)]));
  const changed = files.find(({ path, hash }) => hash !== undefined && hash !== (hashes.get(path) ?? 'none'));
  if (changed) throw new ServiceError('versionDiffers', message('ruleFiles.changedBySomebody', { path: changed.path }));
}
