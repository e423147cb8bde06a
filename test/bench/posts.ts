import autocannon from 'autocannon';
import type { BenchWorld } from './benchWorld';
import type { Seconds } from './rate';

/** The result of posting through HTTP: a rate, and latencies in milliseconds. */
export interface Posted {
  perSecond: number;
  p50: number;
  p99: number;
  /** Answers other than 2xx, time-outs and connection errors. */
  failures: number;
}

/**
 * Posts purchases of all members through HTTP from this many connections. Each connection has its own members, as a
 * till has. All requests are prepared before the first is sent, so that the load generator does not slow the
 * measurement.
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

/** Makes one purchase for each member of one connection. */
function purchasesOf(world: BenchWorld, connection: number, connections: number): { body: string }[] {
  const count = Math.ceil((world.members.length - connection) / connections);
  return Array.from({ length: count }, (_unused, nth) => ({ body: purchase(world, connection + nth * connections) }));
}

/** Makes the body of the n-th purchase. */
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
