import autocannon from 'autocannon';
import type { BenchWorld, StartedServer } from './benchWorld';
import type { Crowd } from './scaleCrowds';

/** How many connections post to all APIs together, and for how long. */
export interface CrowdPosting {
  connections: number;
  seconds: number;
}

/** What one API answered: the number of posts, and latencies in milliseconds. */
export interface CrowdPosted {
  posts: number;
  p50: number;
  p99: number;
}

/**
 * Posts purchases to all APIs at once; the connections are shared out.
 * @param crowdOfApi the members whose purchases the API at this place gets
 * @throws Error when a post fails
 */
export async function postFromCrowd(
  { token }: Pick<BenchWorld, 'token'>,
  apis: readonly Pick<StartedServer, 'url'>[],
  crowdOfApi: (place: number) => Crowd,
  { connections, seconds }: CrowdPosting,
): Promise<CrowdPosted[]> {
  const results = await Promise.all(
    apis.map(({ url }, place) => {
      const draw = crowdOfApi(place);
      return autocannon({
        url: `${url}/api/v1/activity`,
        connections: connections / apis.length,
        duration: seconds,
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        requests: [{ setupRequest: (request) => ({ ...request, body: purchaseOf(draw()) }) }],
      });
    }),
  );
  const failures = results.reduce((sum, { non2xx, errors, timeouts }) => sum + non2xx + errors + timeouts, 0);
  if (failures > 0) throw new Error(`${failures} posts failed`);
  return results.map(({ requests, latency: { p50, p99 } }) => ({ posts: requests.total, p50, p99 }));
}

function purchaseOf(loyaltyID: string): string {
  const value = 1 + Math.floor(Math.random() * 500);
  return JSON.stringify({ type: 'Accrual', loyaltyID, srcChannelType: 'POS', currencyCode: 'USD', value });
}
