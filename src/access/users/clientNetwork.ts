import { isIPv6 } from 'node:net';
import { clientAddress, type Sender } from '#base/common/clientAddress';

/**
 * Returns the network of a client: an IPv4 address, or the first 64 bits of an IPv6 address. One customer usually has
 * all addresses that share those 64 bits.
 * @param trustedProxies as for {@link clientAddress}
 */
export function clientNetwork(sender: Sender, trustedProxies: number): string {
  const address = clientAddress(sender, trustedProxies);
  if (!isIPv6(address)) return address;
  const [left = [], right = []] = address.split('::').map((side) => side.split(':').filter(Boolean));
  // An IPv4 address at the end fills the last two of the eight groups, so it counts as one group more.
  const written = left.length + right.length + (address.includes('.') ? 1 : 0);
  const zeros = Array.from({ length: Math.max(0, 8 - written) }, () => '0');
  const groups = [...left, ...(address.includes('::') ? zeros : []), ...right].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
