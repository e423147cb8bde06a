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

/** Posts purchases of all members through HTTP from this many connections. */
export async function measurePosts(
  world: BenchWorld,
  url: string,
  connections: number,
  { warmUp, measured }: Seconds,
  query = '',
): Promise<Posted> {
  let next = 0;
  const run = (duration: number) =>
    autocannon({
      url: `${url}/api/v1/activity${query}`,
      connections,
      duration,
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${world.token}` },
      requests: [
        {
          setupRequest: (request) => {
            next += 1;
            return { ...request, body: purchase(world, next) };
          },
        },
      ],
    });
  await run(warmUp);
  const { requests, latency, non2xx, errors, timeouts } = await run(measured);
  return { perSecond: requests.average, p50: latency.p50, p99: latency.p99, failures: non2xx + errors + timeouts };
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
