import { lookup, Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { message } from '#base/common/messages/message';
import { isPublicAddress } from './isPublicAddress';

/** Limits of the resolution of a name: milliseconds of one try, and tries. */
const limits = { tryMs: 2000, tries: 2 } as const;

/** Which receivers are allowed, and which servers resolve their names. */
export interface GuardOptions {
  isPrivateAllowed: boolean;
  /** Name servers, each `address:port`; default: those of the machine. */
  nameServers?: readonly string[];
}

/** An address of a receiver. */
export interface Address {
  address: string;
  family: 4 | 6;
}

/** Thrown when a name resolves to an address that is not public. */
export class RefusedAddress extends Error {
  override readonly name = 'RefusedAddress';
  constructor() {
    super(message('webhooks.receiverNotPublic').message);
  }
}

/** Resolves the name of a receiver to the addresses that a connection may go to. */
export type ResolveHost = (host: string) => Promise<Address[]>;

/**
 * Makes the resolution of receivers. When private networks are not allowed, one address that is not public refuses
 * them all. Then names are resolved by the name servers only, not by the threads that files and passwords need too, so
 * that a slow name server holds up nobody else.
 */
export function createResolveHost({ isPrivateAllowed, nameServers }: GuardOptions): ResolveHost {
  const resolver = new Resolver({ timeout: limits.tryMs, tries: limits.tries });
  if (nameServers) resolver.setServers(nameServers);
  return async (host) => {
    const family = isIP(host);
    const found =
      family !== 0
        ? [{ address: host, family: family === 4 ? 4 : 6 } as const]
        : await (isPrivateAllowed && !nameServers ? resolveLocally(host) : resolveByServers(resolver, host));
    if (!isPrivateAllowed && !found.every(({ address }) => isPublicAddress(address))) throw new RefusedAddress();
    return found;
  };
}

/** As the machine does, with its file of hosts. */
async function resolveLocally(host: string): Promise<Address[]> {
  const found = await lookup(host, { all: true });
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
}

/** @throws the resolver's error when neither kind of address is found */
async function resolveByServers(resolver: Resolver, host: string): Promise<Address[]> {
  const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const found = [
    ...(four.status === 'fulfilled' ? four.value : []).map((address) => ({ address, family: 4 }) as const),
    ...(six.status === 'fulfilled' ? six.value : []).map((address) => ({ address, family: 6 }) as const),
  ];
  if (found.length === 0) throw four.status === 'rejected' ? four.reason : new Error('the name has no address');
  return found;
}
