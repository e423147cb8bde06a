import closeWithGrace from 'close-with-grace';
import { startWorkers } from '../workers/startWorkers';
import { firstOrg } from './auth/firstOrg';
import { type Config, ConfigError, readConfig } from './config';
import { fillDemo } from './demo/fillDemo';
import { progressTo } from './embedded/progress';
import { startEmbedded } from './embedded/startEmbedded';
import { StartError } from './embedded/startError';
import { serve } from './http/serve';
import { loadSecrets } from './secrets';
import { openServices } from './services';
import { welcome } from './welcome';

/** How long work in flight has at the end of the process. */
const closeMaxMs = 10_000;

/** `npm start`: backing services of its own where none are given, then API, workers and timers in one process. */
async function start(): Promise<void> {
  const config = readConfig();
  const onProgress = progressTo(process.stderr);
  const embedded = await startEmbedded({
    dataDir: config.dataDir,
    cacheDir: config.cacheDir,
    path: config.PATH,
    mongodBinary: config.MONGOD_BINARY,
    redisServerBinary: config.REDIS_SERVER_BINARY,
    mongodbUri: config.MONGODB_URI,
    redisUrl: config.REDIS_URL,
    onProgress,
  });
  closeWithGrace({ delay: closeMaxMs }, async () => embedded.stop());
  const complete = { ...withSecrets(config), MONGODB_URI: embedded.mongodbUri, REDIS_URL: embedded.redisUrl };
}
