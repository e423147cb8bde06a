import { apiKeyRoutes } from '#access/apiKeys/routes';
import { auditRoutes } from '#access/users/auditRoutes';
import { oidcRoutes } from '#access/users/oidcRoutes';
import { authRoutes } from '#access/users/routes';
import { userRoutes } from '#access/users/userRoutes';
import { activityRoutes } from '#activities/post/routes';
import { exportRoutes } from '#exchange/exports/routes';
import { importRoutes } from '#exchange/imports/routes';
import { webhookRoutes } from '#exchange/webhooks/routes';
import { forecastRoutes } from '#insights/forecasts/routes';
import { reportRoutes } from '#insights/reports/routes';
import { accountRoutes } from '#members/accounts/routes';
import { pointsRoutes } from '#members/accrualItems/routes';
import { aggregateRoutes } from '#members/aggregates/routes';
import { memberRoutes } from '#members/members/routes';
import { tierRoutes } from '#members/tiers/routes';
import { jobRoutes } from '#operations/jobs/routes';
import { sandboxRoutes } from '#operations/sandbox/routes';
import { eventRoutes } from '#platform/events/routes';
import { allOperations } from '#platform/http/collection/collectionOptions';
import { collectionRoutes } from '#platform/http/collection/collectionRoutes';
import { metricsRoute } from '#platform/http/metrics';
import type { Route } from '#platform/http/route';
import { defineWrites } from '#platform/recordWrites/recordWrites';
import { catalogRoutes, productRoutes } from '#programs/catalog/routes';
import { extensionRoutes } from '#programs/extensions/routes';
import { offerRoutes } from '#programs/offers/routes';
import { programRoutes } from '#programs/programs/routes';
import { proposalRoutes } from '#publishing/proposals/routes';
import { ruleEditorRoutes } from '#publishing/ruleEditor/routes';
import { ruleSetRoutes } from '#publishing/rulesets/routes';
import { versionRoutes } from '#publishing/rulesets/versionRoutes';
import { simulationRoutes } from '#publishing/simulations/routes';
import { resources } from '#server/services/resources';
import { healthRoutes } from './health';

const domainRoutes: readonly Route[] = [
  ...authRoutes,
  ...oidcRoutes,
  ...userRoutes,
  ...apiKeyRoutes,
  ...auditRoutes,
  ...memberRoutes,
  ...accountRoutes,
  ...activityRoutes,
  ...pointsRoutes,
  ...aggregateRoutes,
  ...programRoutes,
  ...tierRoutes,
  ...forecastRoutes,
  ...reportRoutes,
  ...catalogRoutes,
  ...offerRoutes,
  ...extensionRoutes,
  ...simulationRoutes,
  ...eventRoutes,
  ...webhookRoutes,
  ...importRoutes,
  ...exportRoutes,
  ...ruleEditorRoutes,
  ...proposalRoutes,
  ...ruleSetRoutes(resources.map(({ name }) => name)),
  ...versionRoutes,
  ...sandboxRoutes,
];

const served = new Set([...domainRoutes, ...productRoutes].map(({ path }) => path));

/** Resources that program managers write and that have no routes in a domain. */
const plainRoutes = resources
  .filter(({ access, path }) => (access === 'managed' || access === 'catalog') && !served.has(`/${path}`))
  .flatMap((resource) => collectionRoutes(defineWrites(resource), { operations: allOperations }));

/** Every endpoint of the service, by domain. The OpenAPI document has the same order. */
export const allRoutes: readonly Route[] = [
  ...domainRoutes,
  ...productRoutes,
  ...plainRoutes,
  ...jobRoutes,
  ...healthRoutes,
  metricsRoute,
];
