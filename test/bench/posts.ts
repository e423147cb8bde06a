import autocannon from 'autocannon';
import type { BenchWorld } from './benchWorld';
import type { Seconds } from './rate';

/** What posting through HTTP gave. */
export interface Posted {
  perSecond: number;
  p50: number;
  p99: number;
  /** Answers other than 2xx, time-outs and connection errors. */
  failures: number;
}

/**
 * Posts purchases of all members through HTTP from this many connections. Each has its own members, as tills have, and
 * its requests are made before the first is sent: what is measured is not to wait for the load generator.
 */
export async function measurePosts(
  world: BenchWorld,
  url: string,
  connections: number,
  { warmUp, measured }: Seconds,
  query = '',
): Promise<Posted> {
  const run = (duration: number) => {
    let opened = 0;
    return autocannon({
      url: `${url}/api/v1/activity${query}`,
      connections,
      duration,
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${world.token}` },
      setupClient: (client) => {
        client.setRequests(purchasesOf(world, opened, connections));
        opened += 1;
      },
    });
  };
  await run(warmUp);
  const { requests, latency, non2xx, errors, timeouts } = await run(measured);
  return { perSecond: requests.average, p50: latency.p50, p99: latency.p99, failures: non2xx + errors + timeouts };
}

/** One purchase of each member of one connection among so many. */
function purchasesOf(world: BenchWorld, connection: number, connections: number): { body: string }[] {
  const count = Math.ceil((world.members.length - connection) / connections);
  return Array.from({ length: count }, (_unused, nth) => ({ body: purchase(world, connection + nth * connections) }));
}

/** The body of one purchase. */
export function purchase(world: BenchWorld, n: number): string {
  const { loyaltyID } = world.members[(n * 7919) % world.members.length] ?? { loyaltyID: '' };
  return JSON.stringify({
    type: 'Accrual',
    loyaltyID,
    srcChannelType: 'POS',
    currencyCode: 'USD',
    value: 1 + (n % 500),
  });
}
