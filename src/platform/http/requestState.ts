import type { ParameterizedContext } from 'koa';
import type { StartedSpan } from '#base/tracing/tracer';
import type { Principal } from '#platform/auth/principal';
import type { Route } from './route';

/** What the middleware of one request share. */
export interface RequestState {
  requestId: string;
  /** The route that answers; absent when none matched. */
  route?: Route;
  /** The span of the request, when traces are sent. */
  span?: StartedSpan;
  /** The authenticated user, once known. */
  principal?: Principal;
  /** True when the client left before the body was read. */
  isAborted?: boolean;
}

/** Koa's context with our state. */
export type Context = ParameterizedContext<RequestState>;

export type Next = () => Promise<unknown>;
