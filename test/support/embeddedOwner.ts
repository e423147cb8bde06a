import { startEmbedded } from '../../src/embedded/startEmbedded';
import { embeddedOptions } from './embeddedOptions';

// A process that owns embedded servers, as `npm start` does: prints where they are or why not, and stops them on SIGTERM.
async function own(dataDir: string): Promise<void> {
  const services = await startEmbedded({ ...embeddedOptions(dataDir), onProgress: () => undefined });
  const stop = () => void services.stop().then(() => process.exit(0));
  process.once('SIGTERM', stop);
  process.stdin.resume().once('end', stop); // the test run is gone
  process.stdout.write(`${JSON.stringify(services)}\n`);
}

own(process.argv[2] ?? '').catch((error: Error) => {
  process.stdout.write(`${JSON.stringify({ error: error.message })}\n`);
  process.exit(1);
});
