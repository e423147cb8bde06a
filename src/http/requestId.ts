import { randomUUID } from 'node:crypto';
import type { Context, Next } from './state';

const acceptable = /^[\w.-]{1,100}$/;

/** Takes the caller's `X-Request-Id` when it is fit for logs, else makes one; answers it. */
export async function requestId(ctx: Context, next: Next): Promise<void> {
  const sent = ctx.get('X-Request-Id');
  ctx.state.requestId = acceptable.test(sent) ? sent : randomUUID();
  ctx.set('X-Request-Id', ctx.state.requestId);
  await next();
}
