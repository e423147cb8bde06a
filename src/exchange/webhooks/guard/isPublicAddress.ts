import { BlockList, isIP } from 'node:net';

/**
 * IPv4 networks that are not part of the public internet, or that no receiver can be in (IANA registry of special
 * addresses, RFC 6890). 168.63.129.16 answers only machines of one cloud, about themselves; the metadata addresses of
 * other clouds are in link-local and shared networks.
 */
const closedIPv4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '168.63.129.16/32',
];

/**
 * Networks within the global unicast addresses 2000::/3 that are closed too: protocols, Teredo, benchmarks, ORCHID
 * (all in 2001::/23), documentation, and 6to4, which hides an IPv4 address.
 */
const closedIPv6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'];

const closed = buildBlockList(closedIPv4, closedIPv6);
const globalUnicast = buildBlockList([], ['2000::/3']);

/**
 * Tells whether an IP address belongs to the public internet. An IPv4 address inside an IPv6 one (mapped, or of the
 * well-known prefix of NAT64) is judged itself. What is no address is not public.
 */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 0) return false;
  if (family === 4) return !closed.check(address, 'ipv4');
  const inner = embeddedIPv4(address);
  if (inner !== undefined) return isPublicAddress(inner);
  return globalUnicast.check(address, 'ipv6') && !closed.check(address, 'ipv6');
}

/** Prefixes of 96 bits that are followed by an IPv4 address: IPv4-mapped (RFC 4291) and NAT64 (RFC 6052). */
const carriers = ['0:0:0:0:0:ffff', '64:ff9b:0:0:0:0'];

function embeddedIPv4(address: string): string | undefined {
  const groups = addressGroups(address);
  const [high = 0, low = 0] = groups.slice(6);
  const prefix = groups.slice(0, 6).map((group) => group.toString(16));
  if (!carriers.includes(prefix.join(':'))) return undefined;
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** The eight groups of an IPv6 address in any spelling. The URL parser writes out the dotted end that one may have. */
function addressGroups(address: string): number[] {
  const [plain = ''] = address.split('%');
  const { hostname } = new URL(`http://[${plain}]/`);
  const [before = '', after] = hostname.slice(1, -1).split('::');
  const left = before === '' ? [] : before.split(':');
  const right = after === undefined || after === '' ? [] : after.split(':');
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0');
  return [...left, ...zeros, ...right].map((group) => Number.parseInt(group, 16));
}

function buildBlockList(ipv4: readonly string[], ipv6: readonly string[]): BlockList {
  const made = new BlockList();
  for (const [networks, family] of [[ipv4, 'ipv4'] as const, [ipv6, 'ipv6'] as const]) {
    for (const network of networks) {
      const [address = '', bits] = network.split('/');
      made.addSubnet(address, Number(bits), family);
    }
  }
  return made;
}
