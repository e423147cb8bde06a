import { randomBytes } from 'node:crypto';
import accepts from 'accepts';
import { ServiceError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import type { Context, Next } from '#platform/http/requestState';
import { type ConsoleFile, nonceMark, readConsoleFiles, settingsMark } from './consoleFiles';

/** What the page tells the console before a user has signed in. */
export interface ConsoleSettings {
  /** True when staff may sign in at an OpenID provider. */
  oidc: boolean;
}

/**
 * Makes the middleware that serves the web console at `/console/` (decision 102): its files, and its page for every
 * other path below, so that each page of the console has a URL that can be opened. Its policy lets the page load from
 * this host only, and allows no style without the nonce of the request.
 * @param folder where it was built; default: dist/console
 */
export function serveConsole(settings: ConsoleSettings, folder?: string): (ctx: Context, next: Next) => Promise<void> {
  let files: ReturnType<typeof readConsoleFiles>;
  return async (ctx, next) => {
    if (ctx.path !== '/console' && !ctx.path.startsWith('/console/')) {
      await next();
      return;
    }
    requireRead(ctx);
    if (ctx.path === '/console') {
      ctx.status = 308;
      ctx.set('Location', '/console/');
      return;
    }
    files ??= readConsoleFiles(folder);
    if (!files) throw new ServiceError('notFound', message('http.consoleNotBuilt'));
    if (ctx.path.startsWith(assets)) sendAsset(ctx, files.asset(ctx.path.slice(assets.length)));
    else sendPage(ctx, files.page, settings);
  };
}

const assets = '/console/assets/';

function requireRead(ctx: Context): void {
  if (ctx.method === 'GET' || ctx.method === 'HEAD') return;
  const headers = { Allow: 'GET, HEAD' };
  throw new ServiceError('methodNotAllowed', message('http.methodsOfConsole'), { headers });
}

/** Sends the page. It names the files of this version, so no browser may keep it. */
function sendPage(ctx: Context, page: string, settings: ConsoleSettings): void {
  const nonce = randomBytes(18).toString('base64');
  const settingsText = JSON.stringify(settings).replaceAll('"', '&quot;');
  ctx.type = 'text/html; charset=utf-8';
  ctx.set('Content-Security-Policy', contentPolicy(nonce));
  ctx.set('Cache-Control', 'no-store');
  ctx.body = page.replaceAll(nonceMark, nonce).replace(settingsMark, settingsText);
}

function contentPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Sends a file. Its name changes with its contents, so browsers keep it for a year. */
function sendAsset(ctx: Context, file: ConsoleFile | undefined): void {
  if (!file) throw new ServiceError('notFound', message('http.noConsoleFile'));
  const coding = chooseCoding(ctx, file);
  ctx.set('Content-Type', file.type);
  // `no-transform` stops the compression middleware: the build has compressed the file as far as it gets.
  ctx.set('Cache-Control', 'public, max-age=31536000, immutable, no-transform');
  ctx.vary('Accept-Encoding');
  if (coding) ctx.set('Content-Encoding', coding);
  ctx.body = (coding && file[coding]) || file.plain;
}

/** The coding in which a client gets a file: the smallest that it takes. */
function chooseCoding(ctx: Context, file: ConsoleFile): 'br' | 'gzip' | undefined {
  if (!ctx.get('Accept-Encoding')) return undefined;
  const taken = accepts(ctx.req).encodings();
  return (['br', 'gzip'] as const).find((coding) => file[coding] && taken.includes(coding));
}
