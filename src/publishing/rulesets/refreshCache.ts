import { invalidField, malformed, validationError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import type { RuleFault } from '#engine/rules/source/ruleSource';
import { auditorOf } from '#platform/audit/auditor';
import type { RequestWith } from '#platform/http/route';
import type { RuleSets } from './ruleSets';

/**
 * Reads an entity anew. For `Rule`, loads the rule files; they are in force when this returns. Other entities need
 * nothing, since the service caches nothing of them that could be old.
 * @throws ServiceError 1210 when `entity` is no resource; 1200 with the faults when files of some programs are refused.
 *   The files of the other programs are then in force all the same.
 */
export async function refreshCache(request: RequestWith<{ ruleSets: RuleSets }>): Promise<void> {
  const { services, principal, query } = request;
  const { entity } = query;
  if (!services.resources.some(({ name }) => name === entity)) {
    throw malformed(message('ruleSets.entity', { entity: JSON.stringify(entity ?? '') }));
  }
  if (entity !== 'Rule') return;
  const result = await services.ruleSets.publish(principal.org, auditorOf(request));
  const { errors, programs } = result;
  if (errors.length > 0) throw validationError(errors.map(fieldErrorOf), programs ? { programs } : {});
  if (result.kind === 'empty' && result.version !== undefined) {
    throw invalidField('.', 'empty', message('ruleSets.noFiles', { version: result.version }));
  }
}

function fieldErrorOf({ file, line, column, ...fault }: RuleFault) {
  return { ...message('ruleSets.inFolder', { fault }), kind: 'rule', path: `${file}:${line}:${column}` };
}
