import { type Static, Type } from '@sinclair/typebox';
import { ObjectId } from 'bson';
import { malformed, notFound } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { runHeavy } from '#base/query/read/heavyReads';
import { count, decimal, instant, list, named, objectId, oneOf, record, text } from '#base/schema/atoms';
import { outlooks } from '#engine/tiers/outlook';
import { settledMember } from '#members/memberState/settledMember';
import { readPathId } from '#platform/http/collection/readPathId';
import { apiPrefix, defineRoute, ok, type RequestWith, type Route } from '#platform/http/route';
import type { ProgramCatalogs } from '#programs/programs/programCatalogs';
import { tierLevelRefShape } from '#records/members/memberTier';
import { tierBasisShape } from '#records/programs/tierPolicy';
import { readLiability } from './liability';
import { expiringByMonth, type ForecastScope, tierForecasts } from './memberForecast';

type ForecastRequest = RequestWith<{ programCatalogs: ProgramCatalogs }>;

const needShape = named(
  'TierNeed',
  record({
    level: tierLevelRefShape,
    metric: text(150),
    atLeast: decimal({ description: 'The value from which on the member has the level' }),
    value: decimal({ description: 'The value that counts for it so far' }),
    missing: decimal({ description: 'What the member still has to add' }),
    from: instant({ description: 'What the member adds from then on counts' }),
    by: Type.Optional(instant({ description: 'Before which it must be added; absent: at any time' })),
    sentence: Type.String({ description: 'The same in words, with days of the time zone of the program' }),
  }),
);

const memberForecastShape = record({
  member: objectId('Member'),
  at: instant({ description: 'The time of the forecast' }),
  tiers: list(
    record({
      policyId: objectId('TierPolicy'),
      name: text(100, { description: 'Name of the tier policy' }),
      basis: Type.Optional(tierBasisShape),
      value: Type.Optional(decimal({ description: 'The sum of the basis in its present period' })),
      level: Type.Optional({ ...tierLevelRefShape, description: 'Absent: the member has none' }),
      expiresOn: Type.Optional(instant()),
      outlook: Type.Optional(
        oneOf(outlooks, {
          description:
            'lasts: for good; renewed: nothing is missing at its end; needs: `keep` says what; ends: nothing keeps it',
        }),
      ),
      graceUntil: Type.Optional(instant({ description: 'Until when it can be saved after its end' })),
      keep: Type.Optional(needShape),
      next: Type.Optional(needShape),
    }),
  ),
  expiring: list(
    record({
      month: Type.String({ description: 'YYYY-MM in the time zone of the program' }),
      purse: objectId('PursePolicy'),
      name: text(100, { description: 'Name of the purse' }),
      points: count(),
      escrowed: count({ description: 'The part of `points` that is in escrow' }),
    }),
    10_000,
    { description: 'Points by the month in which they expire, the first one first' },
  ),
});

const memberRoute = defineRoute({
  method: 'GET',
  path: '/members/:id/forecast',
  prefixes: [apiPrefix, ''],
  permission: 'members:read',
  summary: 'Forecast the tiers and points of a member',
  description:
    'What keeps its level and what reaches the next one, by tier policy, and the points that expire by month. Due ' +
    'points and levels are settled first.',
  responses: { 200: memberForecastShape },
  errors: [410],
  handle: async (request: ForecastRequest) => {
    const { services, principal, now } = request;
    const member = await settledMember(services, principal.org, readPathId(request), now);
    const catalog = await currentCatalog(request);
    const program = catalog.programOf(member.program);
    if (!program) throw notFound('Program');
    const scope: ForecastScope = {
      org: principal.org,
      member,
      program,
      now,
      policies: catalog.policiesOf(program._id),
      tierPolicies: catalog.tierPoliciesOf(program._id),
    };
    const tiers = await tierForecasts(services.db, scope);
    const expiring = await expiringByMonth(services.db, scope);
    return ok({ member: member._id, at: now, tiers, expiring } satisfies Static<typeof memberForecastShape>);
  },
});

function currentCatalog({ services, principal }: ForecastRequest) {
  return services.programCatalogs.current(principal.org, principal.versions?.definitionsVersion);
}

const orNull = (type: string, description: string) =>
  Type.Unsafe<number | null>({ type: [type, 'null'], minimum: 0, description });

const outstandingFields = {
  points: count({ description: 'Points that can be redeemed, now or after their escrow' }),
  escrowed: count({ description: 'The part of `points` that is in escrow' }),
  expectedBreakage: orNull('integer', 'The part of `points` that is expected to expire; null without history'),
  cost: orNull('number', '`points` at `costPerPoint`; null when the purse policy names none'),
  expectedCost: orNull('number', '`cost` without the expected breakage'),
};

const liabilityShape = record({
  program: objectId('Program'),
  at: instant({ description: 'The time of the report' }),
  currencyCode: Type.Optional(text(10)),
  cost: orNull('number', 'The cost of all purses; null when none has a `costPerPoint`'),
  expectedCost: orNull('number', 'The same without the expected breakage; null when that of a purse is not known'),
  purses: list(
    record({
      purse: objectId('PursePolicy'),
      name: text(100, { description: 'Name of the purse policy' }),
      costPerPoint: orNull('number', 'From the purse policy'),
      ...outstandingFields,
      months: list(
        record({
          month: Type.Unsafe<string | null>({
            type: ['string', 'null'],
            description: 'The month of expiry, YYYY-MM; null: no date, since the points never expire or by inactivity',
          }),
          ...outstandingFields,
        }),
        10_000,
      ),
      breakage: Type.Union([
        record({
          method: oneOf(['redemptionByAge'], { description: 'docs/design/forecasts.md says how it is computed' }),
          months: count({ description: 'Months of history' }),
          ages: list(
            record({
              age: count({ description: 'Months since the award' }),
              atRisk: count({ description: 'Points that could be redeemed at that age' }),
              redeemed: count({ description: 'Points of these that were redeemed' }),
              share: Type.Number({ minimum: 0, maximum: 1 }),
            }),
          ),
        }),
        Type.Null({ description: 'There is no history yet' }),
      ]),
    }),
  ),
});

const liabilityRoute = defineRoute({
  method: 'GET',
  path: '/forecasts/liability',
  permission: 'forecasts:read',
  tag: 'Programs',
  summary: 'Forecast the liability of a program',
  description: 'Points outstanding and their cost by month of expiry, and how many of them are expected to expire.',
  query: { program: { description: 'The program', schema: objectId('Program'), required: true } },
  // It reads all accrual items and journal entries of the org.
  answerMaxMs: 120_000,
  responses: { 200: liabilityShape },
  errors: [404, 429],
  handle: async (request: ForecastRequest) => {
    const { services, principal, query, now, endsAt } = request;
    const id = parseProgramId(query.program);
    const catalog = await currentCatalog(request);
    const program = catalog.programOf(id);
    if (!program) throw notFound('Program');
    const scope = { org: principal.org, program, policies: catalog.policiesOf(id), now, endsAt };
    const purses = await runHeavy(principal.userId.toHexString(), () => readLiability(services.db, scope));
    const { currencyCode } = program;
    return ok({
      program: id,
      at: now,
      ...(currencyCode === undefined ? {} : { currencyCode }),
      cost: total(purses.map(({ cost }) => cost)),
      expectedCost: expectedTotal(purses),
      purses,
    });
  },
});

function parseProgramId(text: string | undefined): ObjectId {
  if (text === undefined) throw malformed(message('insights.programNeeded'));
  if (!/^[0-9a-f]{24}$/i.test(text)) throw malformed(message('insights.programHexId'));
  return new ObjectId(text);
}

function total(costs: readonly (number | null)[]): number | null {
  const known = costs.filter((cost) => cost !== null);
  return known.length === 0 ? null : Number(known.reduce((sum, cost) => sum + cost, 0).toFixed(2));
}

function expectedTotal(purses: readonly { cost: number | null; expectedCost: number | null }[]): number | null {
  const priced = purses.filter(({ cost }) => cost !== null);
  return priced.some(({ expectedCost }) => expectedCost === null)
    ? null
    : total(priced.map((each) => each.expectedCost));
}

/** Routes of forecasts: of a member, and of what a program owes. */
export const forecastRoutes: Route[] = [memberRoute, liabilityRoute];
