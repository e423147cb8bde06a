import type { ParameterizedContext } from 'koa';
import type { Principal } from '../auth/authenticate';
import type { Route } from './route';

/** What the middleware of one request tell each other. */
export interface RequestState {
  requestId: string;
  /** The route that answers; absent when none matched. */
  route?: Route;
  /** Who asks, once he is known. */
  principal?: Principal;
}

/** Koa's context with our state. */
export type Context = ParameterizedContext<RequestState>;

export type Next = () => Promise<unknown>;
