import { isIP } from 'node:net';
import { isPublicAddress } from './isPublicAddress';

/** The lowest port of a receiver beside that of https. Below stand services that are no receivers. */
const portMin = 1024;

/** The names that stand for this machine (RFC 6761) or for machines of a private network, whatever they resolve to. */
const privateName = /(?:^|\.)(?:localhost|local|internal|localdomain|home\.arpa)\.?$/i;

/**
 * Says why events cannot be posted to a URL, as far as the URL alone shows it; undefined when they can.
 * @param isPrivateAllowed true: also http, any port and private networks
 */
export function urlFault(text: string, isPrivateAllowed: boolean): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url) return 'must be a URL';
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must begin with https://';
  if (url.username !== '' || url.password !== '') return 'must not have a user name or password';
  if (url.hash !== '') return 'must not have a fragment';
  if (url.port === '0') return 'must not have the port 0';
  // The parser forgives what other programs read differently, such as `https:host` and `https://:@host`.
  if (!isWrittenOut(text, url)) return 'must be a URL such as https://example.com/events';
  return isPrivateAllowed ? undefined : publicFault(url);
}

/** Whether a URL has two slashes, then a host without an empty user name, and neither white space nor a backslash. */
function isWrittenOut(text: string, { protocol }: URL): boolean {
  const [authority = ''] = text.slice(protocol.length + 2).split(/[/?#]/, 1);
  const begins = text.toLowerCase().startsWith(`${protocol}//`);
  return begins && authority !== '' && !authority.includes('@') && !/[\s\\]/.test(text);
}

function publicFault(url: URL): string | undefined {
  if (url.protocol !== 'https:') return 'must begin with https://, unless WEBHOOK_PRIVATE is on';
  if (url.port !== '' && Number(url.port) < portMin) return `must have the port 443, or one from ${portMin} on`;
  const host = hostOf(url);
  const isClosed = isIP(host) === 0 ? privateName.test(host) : !isPublicAddress(host);
  return isClosed ? notPublic : undefined;
}

/** What is said of a receiver in a private network. It does not say what its name resolves to. */
export const notPublic = 'must be in the public internet, unless WEBHOOK_PRIVATE is on';

/** The host of a URL as a name or an address; an IPv6 address without its brackets. */
export function hostOf({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}
