import type { Config } from '#platform/infrastructure/config';
import { type Client, client } from './client';
import { type ServiceProcess, startApi } from './processes';
import { scrape, valueIn } from './scrape';
import { until } from './until';
import type { World } from './world';

/** An API process with a client of it. */
export interface FleetApi extends ServiceProcess, Client {
  url: string;
}

/** Two API processes, of which one processes what the other one hands over. */
export interface Fleet {
  owner: FleetApi;
  other: FleetApi;
  /** How many activities the other one has handed over, by whether they were answered. */
  handedOver(outcome: 'answered' | 'lost'): Promise<number>;
  close(): Promise<void>;
}

/** Starts two API processes, and waits until one hands activities of the org of a world to the other. */
export async function startFleet(world: World, config: Partial<Config> = {}): Promise<Fleet> {
  const { services } = world;
  const started = await Promise.all([1, 2].map(() => startApi({ ...services.config, ...config })));
  const apis = started.map((api) => ({ ...api, ...client(api.url, services.users.client.token) }));
  const member = await world.addMember();
  const answeredBy = async ({ url }: { url: string }, outcome: string) =>
    valueIn(await scrape(url), `loyalty_handed_over_total{outcome="${outcome}"}`);
  let other: FleetApi | undefined;
  await until(async () => {
    for (const api of apis) {
      await api.post('/activity', { type: 'Accrual', memberID: member._id, value: 1 });
      if ((await answeredBy(api, 'answered')) > 0) other = api;
    }
    return other !== undefined;
  });
  const found = other as unknown as FleetApi;
  return {
    owner: apis.find((api) => api !== found) as FleetApi,
    other: found,
    handedOver: (outcome) => answeredBy(found, outcome),
    close: async () => {
      await Promise.all(apis.map((api) => api.kill()));
    },
  };
}
