import { readingRoutes } from '#platform/http/collection/collectionRoutes';
import type { Route } from '#platform/http/route';
import { auditResource } from '#records/users/auditEntry';

/** Routes that read the audit log. Nobody writes it over HTTP. */
export const auditRoutes: Route[] = readingRoutes(auditResource, { operations: ['list', 'count', 'read'] });
