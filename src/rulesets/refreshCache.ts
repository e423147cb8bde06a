import { invalidField, malformed, validationError } from '../common/errors';
import type { RequestWith } from '../http/route';
import type { RuleFault } from '../rules/source/ruleSource';
import type { RuleSets } from './ruleSets';

/**
 * Makes the service read an entity anew: rules from their files, in force when this answers. Of everything else the
 * service keeps nothing that could be old, so there is nothing to do.
 * @throws ServiceError 1210 for what is no resource; 1200 with the faults when the rule files are refused
 */
export async function refreshCache({ services, principal, query }: RequestWith<{ ruleSets: RuleSets }>): Promise<void> {
  const { entity } = query;
  if (!services.resources.some(({ name }) => name === entity)) {
    throw malformed(`entity must be the name of a resource, such as Rule; it is ${JSON.stringify(entity ?? '')}`);
  }
  if (entity !== 'Rule') return;
  const result = await services.ruleSets.publish(principal.org);
  if (result.kind === 'refused') throw validationError(result.errors.map(fieldErrorOf));
  if (result.kind === 'empty' && result.version !== undefined) {
    throw invalidField('.', 'empty', `there are no rule files here; rule set ${result.version} stays in force`);
  }
}

function fieldErrorOf({ file, line, column, message }: RuleFault) {
  return { message, kind: 'rule', path: `${file}:${line}:${column}` };
}
