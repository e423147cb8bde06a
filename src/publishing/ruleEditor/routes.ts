import { type Static, Type } from '@sinclair/typebox';
import { validationError } from '#base/common/errors';
import { record } from '#base/schema/atoms';
import { folderOfFault, rootFolder } from '#engine/rules/read/programFaults';
import { languageArgument } from '#platform/http/languageArgument';
import { type Answer, defineRoute, ok, type RequestWith, type Route } from '#platform/http/route';
import { ruleChangesShape } from '#publishing/rulesets/aside/plannedChange';
import { readLimits } from '#publishing/rulesets/files/readFiles';
import { checkedFilesRoute } from '#publishing/rulesets/files/ruleFilesRoute';
import type { RuleSets } from '#publishing/rulesets/ruleSets';
import { editedFiles, editedPath, pathProgramCode } from './editedFiles';
import { previewAnswer, previewBody, previewRules } from './previewRules';
import { coverageAnswer, ruleCoverage } from './ruleCoverage';
import { ruleFieldError } from './ruleFieldError';
import { ruleFile, ruleFileAnswer } from './ruleFile';
import { overviewAnswer, ruleOverview } from './ruleOverview';
import { tryAnswer, tryBody, tryRules } from './tryRules';

/** The body of `POST /rules/changes`. */
const changesBody = record({ files: Type.Optional(editedFiles) });

/**
 * `POST /rules/changes`: how the rules in force would differ if these files were published, of all programs: publishing
 * loads the whole folder of rules.
 * @throws ServiceError 1200 with the faults of the programs of the files, which would then keep their rules
 */
async function plannedChanges(request: RequestWith<{ ruleSets: RuleSets }>): Promise<Answer> {
  const { services, principal } = request;
  const { files = [] } = (request.body ?? {}) as Static<typeof changesBody>;
  await services.ruleSets.adopt(principal.org, services.clock.now());
  const { errors, ...changes } = await services.ruleSets.plan(principal.org, files);
  const codes = new Set([rootFolder, ...files.map(({ path }) => pathProgramCode(path))]);
  const own = errors.filter((fault) => codes.has(folderOfFault(fault)));
  if (own.length > 0) throw validationError(own.map(ruleFieldError));
  return ok(changes);
}

const overviewRoute = defineRoute({
  method: 'GET',
  path: '/rules/overview',
  permission: 'rules:read',
  summary: 'List the rules in force in words',
  description: 'Each in a sentence, with the points of the last 7 days.',
  query: languageArgument,
  responses: { 200: overviewAnswer },
  handle: ruleOverview,
});

const coverageRoute = defineRoute({
  method: 'GET',
  path: '/rules/coverage',
  permission: 'rules:read',
  summary: 'Show which rules in force their tests reach',
  description:
    'Runs the tests of all rules in force, once for each version. A condition is covered when it was both true and false in tests.',
  answerMaxMs: readLimits.answerMaxMs,
  responses: { 200: coverageAnswer },
  handle: ruleCoverage,
});

const fileRoute = defineRoute({
  method: 'GET',
  path: '/rules/files',
  permission: 'rules:read',
  summary: 'Read a rule file from the folder of rules',
  description: 'As it is on the disk of this service now, which may differ from the rules in force.',
  query: { path: { description: 'Path from the folder of rules', schema: editedPath, required: true } },
  responses: { 200: ruleFileAnswer },
  errors: [404],
  handle: ruleFile,
});

const previewRoute = defineRoute({
  method: 'POST',
  path: '/rules/preview',
  permission: 'rules:check',
  summary: 'Check changed rule files and show their rules in words',
  description:
    'With the other files of their programs, and with the tests of their rules. Nothing is stored. Files stand in place of those of the same path in the folder of rules.',
  query: languageArgument,
  body: previewBody,
  ...checkedFilesRoute,
  responses: { 200: previewAnswer },
  handle: previewRules,
});

const changesRoute = defineRoute({
  method: 'POST',
  path: '/rules/changes',
  permission: 'rules:check',
  summary: 'Show what publishing would change',
  description:
    'Of all programs, since publishing loads the whole folder of rules. Without files, what loading it as it is would change. Nothing is stored.',
  body: changesBody,
  isBodyOptional: true,
  ...checkedFilesRoute,
  responses: { 200: ruleChangesShape },
  handle: plannedChanges,
});

const tryRoute = defineRoute({
  method: 'POST',
  path: '/rules/try',
  permission: 'rules:simulate',
  summary: 'Try changed rule files with an activity',
  description: 'Evaluates an activity of a member as if the files were in force. Nothing is stored.',
  query: languageArgument,
  body: tryBody,
  ...checkedFilesRoute,
  responses: { 200: tryAnswer },
  errors: [404],
  handle: tryRules,
});

/** Routes for those who write rules in an editor. */
export const ruleEditorRoutes: Route[] = [
  overviewRoute,
  coverageRoute,
  fileRoute,
  previewRoute,
  changesRoute,
  tryRoute,
];
