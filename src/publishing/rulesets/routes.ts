import { type Static, Type } from '@sinclair/typebox';
import { runScenario } from '#activities/scenario/runScenario';
import { invalidField, malformed, validationError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { list, oneOf, record } from '#base/schema/atoms';
import { lintWarnings } from '#engine/rules/lint/lintWarnings';
import { ruleSetResource } from '#engine/rules/publishedRuleSet';
import { readSourcedRules } from '#engine/rules/read/readRules';
import type { RuleFault } from '#engine/rules/source/ruleSource';
import { requestAuditor } from '#platform/audit/auditor';
import { readingRoutes } from '#platform/http/collection/collectionRoutes';
import { defineRoute, ok, type Request, type RequestWith, type Route } from '#platform/http/route';
import { checkMixture } from './aside/checkMixture';
import { readSetAside } from './aside/setAside';
import { checkRead } from './checkRead';
import { faultOrigin, fileFaultShape } from './files/fileFault';
import { readLimits } from './files/readFiles';
import { checkedFilesRoute } from './files/ruleFilesRoute';
import { sentFiles } from './files/sentFiles';
import { loadRuleReferences } from './loadRuleReferences';
import { ruleResource } from './ruleResource';
import { ruleSetInForce } from './ruleSetInForce';
import { ruleSetStatus, ruleSetStatusShape } from './ruleSetStatus';
import type { RuleSets } from './ruleSets';
import { schemaOfOrg } from './schemaOfOrg';

const currentRoute = defineRoute({
  method: 'GET',
  path: '/rulesets/current',
  permission: 'rulesets:read',
  summary: 'Show the rule set in force and the faults of the last load',
  responses: { 200: ruleSetStatusShape },
  handle: async ({ services, principal }) => {
    await services.ruleSets.adopt(principal.org, services.clock.now());
    return ok(await ruleSetStatus(services.db, principal.org));
  },
});

const refreshRoute = (entities: readonly string[]) =>
  defineRoute({
    method: 'POST',
    path: '/refreshcache',
    tag: 'Rules',
    permission: 'cache:refresh',
    summary: 'Load the rule files or other definitions anew',
    description: 'entity=Rule loads the rule files. They are in force in every process when the answer arrives.',
    // Reading and checking thousands of rules takes longer than other requests may, even with fast stores.
    answerMaxMs: readLimits.answerMaxMs,
    query: {
      entity: {
        description: 'Name of a resource, for example Rule',
        schema: oneOf(entities),
        required: true,
      },
    },
    key: 'repeatable',
    responses: { 200: record({ status: oneOf(['success']) }) },
    errors: [422],
    handle: async (request: RequestWith<{ ruleSets: RuleSets }>) => {
      await refreshCache(request);
      return ok({ status: 'success' });
    },
  });

/** Maximum number of faults in the answer of a check, and of warnings. */
const faultsMax = 1000;

const checkBody = record({ files: sentFiles });

const sentFault = record({ ...fileFaultShape.properties, from: faultOrigin });

const checkRoute = defineRoute({
  method: 'POST',
  path: '/rules/check',
  permission: 'rules:check',
  summary: 'Check rule files and run their tests; nothing is stored',
  description: 'Warnings never refuse files. They also name rules that can never fire or that another rule prevents.',
  body: checkBody,
  ...checkedFilesRoute,
  responses: { 200: record({ errors: list(sentFault, faultsMax), warnings: list(sentFault, faultsMax) }) },
  handle: checkFiles,
});

async function checkFiles({ services, principal, body }: Request) {
  const { files } = body as Static<typeof checkBody>;
  const { db } = services;
  const { org } = principal;
  const set = await ruleSetInForce(db, org);
  const inForce = set?.drafts ?? [];
  const definitions = await loadRuleReferences(db, org, inForce);
  const { placeOf, ...found } = await readSourcedRules(files, definitions, runScenario);
  const check = checkMixture({ db, org, definitions, lookupTables: found.lookupTables });
  const aside = { setAside: await readSetAside(db, set), check };
  const read = await checkRead(found, { programs: definitions.programs, inForce, aside });
  const { errors } = read;
  const lint = await lintWarnings({ ...read, placeOf }, services.clock.now());
  const warnings = [...read.strays, ...read.warnings, ...lint];
  const sent = (faults: readonly RuleFault[]) =>
    faults.slice(0, faultsMax).map((fault) => ({ ...fault, from: 'upload' }));
  return ok({ errors: sent(errors), warnings: sent(warnings) });
}

const schemaRoute = defineRoute({
  method: 'GET',
  path: '/rules/schema',
  permission: 'rules:read',
  summary: 'Show the JSON Schema of rule files',
  description:
    'For editors: it knows the purses, tiers, segments, channels, partners, named lists and product categories of the ' +
    'org, and every path of a fact. It refuses nothing that a load accepts.',
  responses: { 200: Type.Unsafe<object>({ type: 'object', description: 'A JSON Schema (draft 2020-12)' }) },
  handle: async ({ services, principal }) => ok(await schemaOfOrg(services.db, principal.org)),
});

const reads = { operations: ['list', 'count', 'read'] } as const;

/**
 * Routes of rules and rule sets: what is in force, its history, and checking and loading files. `/current`, `/check`
 * and `/schema` must come before `/:id`, which would match them.
 */
export const ruleSetRoutes = (entities: readonly string[]): Route[] => [
  currentRoute,
  refreshRoute(entities),
  checkRoute,
  schemaRoute,
  ...readingRoutes(ruleResource, reads),
  ...readingRoutes(ruleSetResource, reads),
];

/**
 * Reads an entity again. For `Rule`, loads the rule files; they are in force when this returns. Other entities need
 * nothing, since the service caches nothing of them that could be outdated.
 * @throws ServiceError 1210 when `entity` is no resource; 1200 with the faults when files of some programs are refused.
 *   The files of the other programs are then in force all the same.
 */
async function refreshCache(request: RequestWith<{ ruleSets: RuleSets }>): Promise<void> {
  const { services, principal, query } = request;
  const { entity } = query;
  if (!services.resources.some(({ name }) => name === entity)) {
    throw malformed(message('ruleSets.entity', { entity: JSON.stringify(entity ?? '') }));
  }
  if (entity !== 'Rule') return;
  const result = await services.ruleSets.publish(principal.org, requestAuditor(request));
  const { errors, programs } = result;
  if (errors.length > 0) throw validationError(errors.map(folderFieldError), programs ? { programs } : {});
  if (result.kind === 'empty' && result.version !== undefined) {
    throw invalidField('.', 'empty', message('ruleSets.noFiles', { version: result.version }));
  }
}

function folderFieldError({ file, line, column, ...fault }: RuleFault) {
  return { ...message('ruleSets.inFolder', { fault }), kind: 'rule', path: `${file}:${line}:${column}` };
}
