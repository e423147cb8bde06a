import { authRoutes } from './auth/routes';
import { userRoutes } from './auth/userRoutes';
import { healthRoutes } from './http/health';
import { metricsRoute } from './http/metrics';
import type { Route } from './http/route';

/** Every endpoint of the service, domain by domain; the OpenAPI document follows this order. */
export const allRoutes: readonly Route[] = [...authRoutes, ...userRoutes, ...healthRoutes, metricsRoute];
