import { isIP, isIPv6 } from 'node:net';
import type { Request } from '../http/route';

/**
 * Returns the network of a client: an IPv4 address, or the first 64 bits of an IPv6 address. One customer usually has
 * all addresses that share those 64 bits.
 * @param trustedProxies the number of proxies in front of the service. Each adds the address it sees to the end of
 *   `X-Forwarded-For`; the client may have written the earlier entries
 */
export function clientNetwork(
  { headers, remoteAddress }: Pick<Request, 'headers' | 'remoteAddress'>,
  trustedProxies: number,
): string {
  const forwarded = (headers['x-forwarded-for'] ?? '').split(',').map((address) => address.trim());
  const seen = trustedProxies === 0 ? undefined : forwarded.at(-trustedProxies);
  return networkOf(seen !== undefined && isIP(seen) !== 0 ? seen : remoteAddress);
}

function networkOf(address: string): string {
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? [];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(address)) return address;
  const [left = [], right = []] = address.split('::').map((side) => side.split(':').filter(Boolean));
  // An IPv4 address at the end fills the last two of the eight groups, so it counts as one group more.
  const written = left.length + right.length + (address.includes('.') ? 1 : 0);
  const zeros = Array.from({ length: Math.max(0, 8 - written) }, () => '0');
  const groups = [...left, ...(address.includes('::') ? zeros : []), ...right].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
