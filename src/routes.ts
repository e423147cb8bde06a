import { accountRoutes } from './accounts/routes';
import { pointsRoutes } from './accrualItems/routes';
import { activityRoutes } from './activities/post/routes';
import { aggregateRoutes } from './aggregates/routes';
import { apiKeyRoutes } from './apiKeys/routes';
import { catalogRoutes } from './catalog/routes';
import { eventRoutes } from './events/routes';
import { exportRoutes } from './exports/routes';
import { extensionRoutes } from './extensions/routes';
import { forecastRoutes } from './forecasts/routes';
import { healthRoutes } from './health';
import { allOperations } from './http/collection/collectionOptions';
import { collectionRoutes } from './http/collection/collectionRoutes';
import { metricsRoute } from './http/metrics';
import type { Route } from './http/route';
import { importRoutes } from './imports/routes';
import { jobRoutes } from './jobs/routes';
import { memberRoutes } from './members/routes';
import { offerRoutes } from './offers/routes';
import { programRoutes } from './programs/routes';
import { proposalRoutes } from './proposals/routes';
import { reportRoutes } from './reports/routes';
import { ruleEditorRoutes } from './ruleEditor/routes';
import { ruleSetRoutes } from './rulesets/routes';
import { versionRoutes } from './rulesets/versionRoutes';
import { sandboxRoutes } from './sandbox/routes';
import { resources } from './services/resources';
import { simulationRoutes } from './simulations/routes';
import { tierRoutes } from './tiers/routes';
import { auditRoutes } from './users/auditRoutes';
import { oidcRoutes } from './users/oidcRoutes';
import { authRoutes } from './users/routes';
import { userRoutes } from './users/userRoutes';
import { webhookRoutes } from './webhooks/routes';

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

const served = new Set(domainRoutes.map(({ path }) => path));

/** Resources that program managers write and that have no routes in a domain. */
const plainRoutes = resources
  .filter(({ access, path }) => (access === 'managed' || access === 'catalog') && !served.has(`/${path}`))
  .flatMap((resource) => collectionRoutes(resource, { operations: allOperations }));

/** Every endpoint of the service, by domain. The OpenAPI document has the same order. */
export const allRoutes: readonly Route[] = [
  ...domainRoutes,
  ...plainRoutes,
  ...jobRoutes,
  ...healthRoutes,
  metricsRoute,
];
