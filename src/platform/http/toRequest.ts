import assert from 'node:assert';
import type { Principal } from '#platform/auth/principal';
import type { Infrastructure } from '#platform/infrastructure/infrastructure';
import { atOrgTime } from '#platform/orgs/orgClock';
import type { Context } from './requestState';
import type { Request } from './route';

/** Makes the request that a handler gets. Its clock is that of the user's org. */
export function toRequest(
  ctx: Context,
  services: Infrastructure,
  parsed: Pick<Request, 'query' | 'rawBody' | 'body' | 'endsAt'>,
): Request {
  const { requestId, principal, span } = ctx.state;
  const orgServices = principal?.versions ? atOrgTime(services, principal.versions) : services;
  const received = {
    services: orgServices,
    params: ctx.params,
    headers: singleHeaders(ctx),
    requestId,
    traceparent: span?.isSampled ? span.traceparent : undefined,
    remoteAddress: ctx.req.socket.remoteAddress ?? '',
    now: orgServices.clock.now(),
    machineClock: services.clock,
    ...parsed,
  };
  return principal ? { principal, ...received } : withoutPrincipal(received);
}

function withoutPrincipal(received: Omit<Request, 'principal'>): Request {
  return {
    ...received,
    get principal(): Principal {
      throw new assert.AssertionError({ message: 'an open route has no principal' });
    },
  };
}

function singleHeaders({ headers }: Context): Record<string, string> {
  const single: Record<string, string> = {};
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    if (typeof value === 'string') single[name] = value;
  }
  return single;
}
