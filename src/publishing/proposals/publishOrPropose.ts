import path from 'node:path';
import { type Static, Type } from '@sinclair/typebox';
import { integerMax, record } from '#base/schema/atoms';
import { requestAuditor } from '#platform/audit/auditor';
import { type Answer, ok, type RequestWith } from '#platform/http/route';
import { pathProgramCode } from '#publishing/ruleEditor/editedFiles';
import { orgFolder } from '#publishing/ruleEditor/orgFolder';
import { checkFiles, publishFiles, sentFilesToPublish } from '#publishing/ruleEditor/publishFiles';
import { isWritable } from '#publishing/ruleEditor/ruleFile';
import { notWritable } from '#publishing/ruleEditor/writeFiles';
import { ruleChangesShape } from '#publishing/rulesets/aside/plannedChange';
import type { RuleSets } from '#publishing/rulesets/ruleSets';
import { propose } from './propose';
import { reasonText } from './ruleProposal';

/** The body of `POST /rules/publish`. */
export const publishBody = record({
  files: sentFilesToPublish,
  reason: Type.Optional({ ...reasonText, description: 'Why, for the person who approves it' }),
});

/** The answer of `POST /rules/publish` when the files are in force. */
export const publishAnswer = record({
  version: Type.Integer({ minimum: 1, maximum: integerMax, description: 'The version in force now' }),
  ...ruleChangesShape.properties,
});

/**
 * `POST /rules/publish`: writes files into the folder of rules and loads it, or stores them as a proposal where a
 * second person has to approve them. They are checked first, so that files with a fault change nothing.
 * @throws ServiceError 1200 with the faults; 1280 when a file is not the one that was changed
 */
export async function publishOrPropose(request: RequestWith<{ ruleSets: RuleSets }>): Promise<Answer> {
  const { services, principal } = request;
  const { files, reason } = request.body as Static<typeof publishBody>;
  await checkFiles(services, principal.org, files);
  if (services.config.RULES_APPROVAL === 'off') {
    return ok(await publishFiles(services, requestAuditor(request), files));
  }
  const { folder } = await orgFolder(services, principal.org);
  for (const code of new Set(files.map((file) => pathProgramCode(file.path)))) {
    if (!(await isWritable(path.join(folder, code)))) throw notWritable();
  }
  return propose(request, { action: 'publish', reason, files });
}
