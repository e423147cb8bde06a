import { startEmbedded } from '#operations/embedded/startEmbedded';
import { embeddedOptions } from './embeddedOptions';

// A process that owns embedded servers, as `npm start` does. It prints their addresses or an error as JSON, and stops
// them
// on SIGTERM.
async function own(dataDir: string): Promise<void> {
  const services = await startEmbedded({ ...embeddedOptions(dataDir), onProgress: () => undefined });
  const stop = () => void services.stop().then(() => process.exit(0));
  process.once('SIGTERM', stop);
  process.stdin.resume().once('end', stop); // the test run has ended
  process.stdout.write(`${JSON.stringify(services)}\n`);
}

own(process.argv[2] ?? '').catch((error: Error) => {
  process.stdout.write(`${JSON.stringify({ error: error.message })}\n`);
  process.exit(1);
});
