import { isIP } from 'node:net';

/** What a request says about where it comes from. */
export interface Sender {
  headers: Record<string, string | undefined>;
  /** Address of the other end of the connection, which may be a proxy. */
  remoteAddress: string;
}

/**
 * Returns the address of a client. An IPv4 address that is written as IPv6 is returned as IPv4.
 * @param trustedProxies the number of proxies in front of the service. Each adds the address it sees to the end of
 *   `X-Forwarded-For`; the client may have written the earlier entries
 */
export function clientAddress({ headers, remoteAddress }: Sender, trustedProxies: number): string {
  const forwarded = (headers['x-forwarded-for'] ?? '').split(',').map((address) => address.trim());
  const seen = trustedProxies === 0 ? undefined : forwarded.at(-trustedProxies);
  const address = seen !== undefined && isIP(seen) !== 0 ? seen : remoteAddress;
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? [];
  return mapped ?? address;
}
