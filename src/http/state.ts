import type { ParameterizedContext } from 'koa';
import type { Principal } from '../auth/authenticate';
import type { Route } from './route';

/** What the middleware of one request share. */
export interface RequestState {
  requestId: string;
  /** The route that answers; absent when none matched. */
  route?: Route;
  /** The authenticated user, once known. */
  principal?: Principal;
}

/** Koa's context with our state. */
export type Context = ParameterizedContext<RequestState>;

export type Next = () => Promise<unknown>;
