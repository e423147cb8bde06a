import { type Static, Type } from '@sinclair/typebox';
import { validationError } from '#base/common/errors';
import { record } from '#base/schema/atoms';
import { folderOfFault, rootFolder } from '#engine/rules/read/programFaults';
import { type Answer, ok, type RequestWith } from '#platform/http/route';
import type { RuleSets } from '#publishing/rulesets/ruleSets';
import { editedFiles, programCodeOf } from './editedFiles';
import { fieldErrorOf } from './fieldErrorOf';

/** The body of `POST /rules/changes`. */
export const changesBody = record({ files: Type.Optional(editedFiles) });

/**
 * `POST /rules/changes`: how the rules in force would differ if these files were published, of all programs: publishing
 * loads the whole folder of rules.
 * @throws ServiceError 1200 with the faults of the programs of the files, which would then keep their rules
 */
export async function plannedChanges(request: RequestWith<{ ruleSets: RuleSets }>): Promise<Answer> {
  const { services, principal } = request;
  const { files = [] } = (request.body ?? {}) as Static<typeof changesBody>;
  await services.ruleSets.adopt(principal.org, services.clock.now());
  const { errors, ...changes } = await services.ruleSets.plan(principal.org, files);
  const codes = new Set([rootFolder, ...files.map(({ path }) => programCodeOf(path))]);
  const own = errors.filter((fault) => codes.has(folderOfFault(fault)));
  if (own.length > 0) throw validationError(own.map(fieldErrorOf));
  return ok(changes);
}
