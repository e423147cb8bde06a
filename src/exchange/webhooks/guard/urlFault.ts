import { isIP } from 'node:net';
import { type Message, message } from '#base/common/messages/message';
import { isPublicAddress } from './isPublicAddress';

/** The lowest port of a receiver other than the port of https. Lower ports belong to services that are no receivers. */
const portMin = 1024;

/** The names of this machine (RFC 6761) or for machines of a private network, whatever they resolve to. */
const privateName = /(?:^|\.)(?:localhost|local|internal|localdomain|home\.arpa)\.?$/i;

/**
 * Says why events cannot be posted to a URL, as far as the URL alone shows it; undefined when they can.
 * @param isPrivateAllowed true: also http, any port and private networks
 */
export function urlFault(text: string, isPrivateAllowed: boolean): Message | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url) return message('webhooks.url');
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return message('webhooks.https');
  if (url.username !== '' || url.password !== '') return message('webhooks.noCredentials');
  if (url.hash !== '') return message('webhooks.noFragment');
  if (url.port === '0') return message('webhooks.noPortZero');
  // The parser forgives what other programs read differently, such as `https:host` and `https://:@host`.
  if (!isWrittenOut(text, url)) return message('webhooks.urlSuchAs');
  return isPrivateAllowed ? undefined : publicFault(url);
}

/** Whether a URL has two slashes, then a host without an empty user name, and neither white space nor a backslash. */
function isWrittenOut(text: string, { protocol }: URL): boolean {
  const [authority = ''] = text.slice(protocol.length + 2).split(/[/?#]/, 1);
  const begins = text.toLowerCase().startsWith(`${protocol}//`);
  return begins && authority !== '' && !authority.includes('@') && !/[\s\\]/.test(text);
}

function publicFault(url: URL): Message | undefined {
  if (url.protocol !== 'https:') return message('webhooks.httpsUnlessPrivate');
  if (url.port !== '' && Number(url.port) < portMin) return message('webhooks.port', { least: portMin });
  const host = bareHost(url);
  const isClosed = isIP(host) === 0 ? privateName.test(host) : !isPublicAddress(host);
  return isClosed ? notPublic : undefined;
}

/** What is said of a receiver in a private network. It does not say what its name resolves to. */
export const notPublic = message('webhooks.publicUnlessPrivate');

/** The host of a URL as a name or an address; an IPv6 address without its brackets. */
export function bareHost({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}
