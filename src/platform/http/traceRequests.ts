import { failureName, type Tracer, validTraceparent } from '#base/tracing/tracer';
import type { Context, Next } from './requestState';

/**
 * Makes the middleware that gives each request a span, below the span that the header `traceparent` names. Paths
 * contain ids, so a span has the path of the route.
 */
export function traceRequests(tracer: Tracer): (ctx: Context, next: Next) => Promise<void> {
  return async (ctx, next) => {
    const { requestId } = ctx.state;
    const attributes = { 'http.request.method': ctx.method, 'loyalty.request_id': requestId };
    const parent = validTraceparent(ctx.get('traceparent'));
    const span = tracer.start(ctx.method, { kind: 'server', parent, attributes });
    ctx.state.span = span;
    let failure: string | undefined;
    try {
      await next();
    } catch (error) {
      failure = failureName(error);
      throw error;
    } finally {
      const { route } = ctx.state;
      const { status } = ctx;
      const answered = { 'http.route': route?.path ?? 'none', 'http.response.status_code': status };
      span.describe(answered, `${ctx.method} ${route?.path ?? 'none'}`);
      span.end(failure ?? (status >= 500 ? String(status) : undefined));
    }
  };
}
