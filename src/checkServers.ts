import type { Config } from './config';
import { checkMongo, checkRedis } from './embedded/checkServers';
import { progressTo } from './embedded/progress';

/**
 * Says in one line what is wrong with a backing service, where a driver would say it in ten.
 * @throws StartError when a service is unreachable or unfit
 */
export async function checkServers({ MONGODB_URI, REDIS_URL }: Config): Promise<void> {
  if (MONGODB_URI === undefined || REDIS_URL === undefined) return;
  await Promise.all([checkMongo(MONGODB_URI), checkRedis(REDIS_URL, progressTo(process.stderr))]);
}
