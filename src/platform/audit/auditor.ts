import { clientAddress, type Sender } from '#base/common/clientAddress';
import type { Author } from '#base/db/records';
import type { OrgVersions } from '#platform/orgs/orgVersions';

/**
 * Who makes a change, and from where, as the audit log names it. Every author will do: without `via` it is the service,
 * and the name is looked up.
 */
export interface Auditor extends Author {
  username?: string | undefined;
  via?: 'api' | 'host' | 'service';
  ip?: string;
  requestId?: string;
}

/** What of a request says who sent it. */
interface AuditedRequest extends Sender {
  principal: Author & { username: string; versions?: OrgVersions };
  requestId: string;
  services: { config: { TRUST_PROXY: number } };
}

/** Who makes the changes of a request, with the versions of the org that were read for it. */
export function requestAuditor(request: AuditedRequest): Auditor & { versions?: OrgVersions } {
  const { principal, requestId, services } = request;
  const { org, userId, username, versions } = principal;
  const ip = clientAddress(request, services.config.TRUST_PROXY);
  // A command that uses the routes of the service without a connection has no address.
  const from = ip === '' ? { via: 'host' as const } : { via: 'api' as const, ip };
  return { org, userId, username, requestId, ...from, ...(versions ? { versions } : {}) };
}
