import { type Static, Type } from '@sinclair/typebox';
import { auditorOf } from '../audit/auditor';
import { invalidField, malformed, notFound } from '../common/errors';
import { defineRoute, ok, type Request, type Route } from '../http/route';
import { instant, integerMax, record, withValues } from '../schema/atoms';
import { diffRuleSets, ruleSetDiffShape } from './diffRuleSets';
import { readLimits } from './files/readFiles';
import { sentFiles } from './files/sentFiles';
import { inForce } from './inForce';
import { rollBack, versionOf } from './rollBack';
import { scheduleRules, withdrawRules } from './scheduleRules';

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
    const from = await versionOf(services.db, principal.org, versionIn(request));
    const to =
      query.to === undefined
        ? await inForce(services.db, principal.org)
        : await versionOf(services.db, principal.org, numberOf(query.to, 'argument to'));
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
    const { db, clock } = request.services;
    return ok({ version: await rollBack({ db, clock, author: auditorOf(request) }, versionIn(request)) });
  },
});

const none = { type: 'null' };

const scheduleBody = record(
  {
    from: instant({ description: 'When they come into force, at least a second later than now' }),
    version: Type.Optional(versionNumber),
    files: Type.Optional(sentFiles),
  },
  { 'x-document': { oneOf: [withValues(['files'], { version: none }), withValues(['version'], { files: none })] } },
);

const scheduleRoute = defineRoute({
  method: 'POST',
  path: '/rulesets/schedule',
  permission: 'cache:refresh',
  summary: 'Schedule rules for a moment',
  description:
    'The body has `files`, all rule files of some programs, or `version`, an earlier version. They become a version now, which comes into force at `from`. GET /rulesets/current shows what is scheduled.',
  body: scheduleBody,
  bodyMaxBytes: readLimits.totalMaxBytes,
  answerMaxMs: 60_000,
  key: 'repeatable',
  responses: { 200: record({ version: versionNumber, from: instant() }) },
  errors: [404, 422],
  handle: async (request) => {
    const { from, files, version } = request.body as Static<typeof scheduleBody>;
    const rules = files ? { files } : version === undefined ? undefined : { version };
    if (!rules || (files && version !== undefined)) {
      throw invalidField('files', 'oneOf', 'is needed, or version; not both');
    }
    const { db, clock } = request.services;
    const author = auditorOf(request);
    return ok({ version: await scheduleRules({ db, clock, author }, rules, from), from });
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
    await withdrawRules({ db, clock, author: auditorOf(request) }, version);
    return ok({ version });
  },
});

function versionIn({ params: { version = '' } }: Pick<Request, 'params'>): number {
  return numberOf(version, 'version in the path');
}

function numberOf(version: string, what: string): number {
  const isNumber = /^[1-9]\d{0,15}$/.test(version) && Number(version) <= integerMax;
  if (!isNumber) throw malformed(`The ${what} must be a number from 1 to ${integerMax}`);
  return Number(version);
}

/** Routes of single versions of the rule set. */
export const versionRoutes: Route[] = [diffRoute, rollbackRoute, scheduleRoute, withdrawRoute];
