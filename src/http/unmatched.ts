import { ServiceError } from '../common/errors';
import type { Routers } from './routers';
import type { Context } from './state';

/**
 * Makes the middleware for requests that no route answers: 405 with `Allow` on a known path, 204 with `Allow` for
 * OPTIONS there, else 404. Of routes that match, those with the fewest parameters name the methods, as in the mount.
 */
export function unmatched(routers: Routers): (ctx: Context) => Promise<void> {
  return async (ctx) => {
    const layers = routers.find(ctx.path)?.match(ctx.path, ctx.method).path ?? [];
    const fewest = Math.min(...layers.map(({ paramNames }) => paramNames.length));
    const closest = layers.filter(({ paramNames }) => paramNames.length === fewest);
    const methods = new Set(closest.flatMap((layer) => layer.methods));
    if (methods.size === 0)
      throw new ServiceError('notFound', 'There is nothing at this path; /docs lists those there are');
    const headers = { Allow: [...methods, 'OPTIONS'].sort().join(', ') };
    if (ctx.method !== 'OPTIONS') {
      throw new ServiceError('methodNotAllowed', `The methods of this path are ${headers.Allow}`, { headers });
    }
    ctx.status = 204;
    ctx.set(headers);
  };
}
