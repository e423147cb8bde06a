import { type Static, Type } from '@sinclair/typebox';
import type { ObjectId } from 'bson';
import { auditorOf } from '../audit/auditor';
import type { Backing } from '../backing/backing';
import { ServiceError, validationError } from '../common/errors';
import { type Answer, ok, type RequestWith } from '../http/route';
import { folderOfFault, rootFolder } from '../rules/read/programFaults';
import type { RuleFault } from '../rules/source/ruleSource';
import { readFiles } from '../rulesets/files/readFiles';
import type { RuleSets } from '../rulesets/ruleSets';
import { integerMax, list, record } from '../schema/atoms';
import { editedFiles, programCodeOf } from './editedFiles';
import { fieldErrorOf } from './fieldErrorOf';
import { orgFolder } from './orgFolder';
import { readEdited } from './readEdited';
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

/** The body of `POST /rules/publish`. */
export const publishBody = record({ files: list(sentFile, editedFiles.maxItems, { minItems: 1 }) });

/** The answer of `POST /rules/publish`. */
export const publishAnswer = record({
  version: Type.Integer({ minimum: 1, maximum: integerMax, description: 'The version in force now' }),
});

type SentFile = Static<typeof sentFile>;

/**
 * `POST /rules/publish`: writes files into the folder of rules and loads it. They are checked first, with all other
 * files of their programs, so that files with a fault change nothing.
 * @throws ServiceError 1200 with the faults; 1280 when a file is not the one that was changed
 */
export async function publishFiles(request: RequestWith<{ ruleSets: RuleSets }>): Promise<Answer> {
  const { services, principal } = request;
  const { files } = request.body as Static<typeof publishBody>;
  await requireUnchanged(services, principal.org, files);
  const { errors } = await readEdited(services, principal.org, files);
  if (errors.length > 0) throw validationError(errors.map(fieldErrorOf));
  const { folder } = await orgFolder(services, principal.org);
  await writeFiles(folder, files);
  const result = await services.ruleSets.publish(principal.org, auditorOf(request));
  // Faults of other programs were there before; they do not concern these files.
  const codes = new Set([rootFolder, ...files.map((file) => programCodeOf(file.path))]);
  const own = result.errors.filter((fault) => codes.has(folderOfFault(withoutOrg(fault))));
  if (own.length > 0) throw validationError(own.map(fieldErrorOf));
  return ok({ version: result.version });
}

/** The faults of a load name the folder of an org, `@<org>/`, before the file. */
function withoutOrg(fault: RuleFault): RuleFault {
  return { ...fault, file: fault.file.replace(/^@[^/]*\//, '') };
}

async function requireUnchanged(
  services: Pick<Backing, 'db' | 'config'>,
  org: ObjectId,
  files: readonly SentFile[],
): Promise<void> {
  const { folder } = await orgFolder(services, org);
  const disk = await readFiles(folder, new Set(files.map(({ path }) => programCodeOf(path))));
  const hashes = new Map(disk.files.map(({ path, text }) => [path, hashOfText(text)]));
  const changed = files.find(({ path, hash }) => hash !== undefined && hash !== (hashes.get(path) ?? 'none'));
  if (changed) throw new ServiceError('versionDiffers', `${changed.path} was changed by somebody else meanwhile`);
}
