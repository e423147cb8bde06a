import { type Static, Type } from '@sinclair/typebox';
import { malformed, notFound, ServiceError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { integerMax, list, record, text } from '#base/schema/atoms';
import { requestAuditor } from '#platform/audit/auditor';
import { defineRoute, ok, type Request, type Route } from '#platform/http/route';
import { restoreRules } from './aside/restoreRules';
import { diffRuleSets, ruleSetDiffShape } from './diffRuleSets';
import { readRuleSetVersion, rollBack } from './rollBack';
import { ruleSetInForce } from './ruleSetInForce';
import { withdrawRules } from './scheduleRules';

const versionNumber = Type.Integer({ minimum: 1, maximum: integerMax });

const diffRoute = defineRoute({
  method: 'GET',
  path: '/rulesets/:version/diff',
  permission: 'rulesets:read',
  summary: 'Show how the rules of a version differ from those of another',
  description:
    'Rules that `to` adds, removes and changes, with the changed fields. A rule that only moved did not change.',
  params: { version: versionNumber },
  query: { to: { description: 'A version; default: the one in force', schema: versionNumber } },
  responses: { 200: record({ from: versionNumber, to: versionNumber, ...ruleSetDiffShape.properties }) },
  handle: async (request) => {
    const { services, principal, query } = request;
    const from = await readRuleSetVersion(services.db, principal.org, versionIn(request));
    const to =
      query.to === undefined
        ? await ruleSetInForce(services.db, principal.org)
        : await readRuleSetVersion(services.db, principal.org, parseVersion(query.to, 'argument to'));
    if (!to) throw notFound('Rule set in force');
    return ok({ from: from.version, to: to.version, ...diffRuleSets(from.drafts, to.drafts) });
  },
});

const rollbackRoute = defineRoute({
  method: 'POST',
  path: '/rulesets/:version/rollback',
  permission: 'cache:refresh',
  summary: 'Put the rules of an earlier version into force again',
  description:
    'They become a new version, which stays until the files of a program change. GET /rulesets/current then shows how the files differ.',
  params: { version: versionNumber },
  answerMaxMs: 60_000,
  key: 'repeatable',
  responses: { 200: record({ version: versionNumber }) },
  errors: [422],
  handle: async (request) => {
    const { db, clock, config } = request.services;
    const version = versionIn(request);
    if (config.RULES_APPROVAL === 'on') await requireWasInForce(request, version);
    return ok({ version: await rollBack({ db, clock, author: requestAuditor(request) }, version) });
  },
});

/**
 * A rollback needs no second person, because it is the brake of an emergency: two had agreed on these rules before. A
 * version that was only scheduled was never in force, so the same does not hold for it.
 */
async function requireWasInForce({ services, principal }: Request, version: number): Promise<void> {
  const { programs } = await readRuleSetVersion(services.db, principal.org, version);
  if (!programs) return;
  throw new ServiceError('forbidden', message('ruleSets.notInForceItself', { version }));
}

const restoreBody = record({
  rules: list(record({ program: text(64, { description: 'Code' }), key: text(300) }), 1000, { minItems: 1 }),
});

const restoreRoute = defineRoute({
  method: 'POST',
  path: '/rulesets/restore',
  permission: 'cache:refresh',
  summary: 'Put rules that a rollback set aside into force again',
  description:
    'As their files had them; a rule that no file had ends. GET /rulesets/current shows what is set aside. They become a new version.',
  body: restoreBody,
  answerMaxMs: 60_000,
  key: 'repeatable',
  responses: { 200: record({ version: versionNumber }) },
  errors: [422],
  handle: async (request) => {
    const { db, clock } = request.services;
    const { rules } = request.body as Static<typeof restoreBody>;
    return ok({ version: await restoreRules({ db, clock, author: requestAuditor(request) }, rules) });
  },
});

const withdrawRoute = defineRoute({
  method: 'POST',
  path: '/rulesets/:version/withdraw',
  permission: 'cache:refresh',
  summary: 'Withdraw a scheduled version before it comes into force',
  params: { version: versionNumber },
  key: 'repeatable',
  responses: { 200: record({ version: versionNumber }) },
  handle: async (request) => {
    const { db, clock } = request.services;
    const version = versionIn(request);
    await withdrawRules({ db, clock, author: requestAuditor(request) }, version);
    return ok({ version });
  },
});

function versionIn({ params: { version = '' } }: Pick<Request, 'params'>): number {
  return parseVersion(version, 'version in the path');
}

function parseVersion(version: string, what: string): number {
  const isNumber = /^[1-9]\d{0,15}$/.test(version) && Number(version) <= integerMax;
  if (!isNumber) throw malformed(message('ruleSets.versionNumber', { what, max: integerMax }));
  return Number(version);
}

/** Routes of single versions of the rule set. */
export const versionRoutes: Route[] = [diffRoute, rollbackRoute, restoreRoute, withdrawRoute];
