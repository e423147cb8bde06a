import type { OnProgress } from '../common/progressTo';
import { messageOf } from '../common/systemError';
import type { ServerName } from './binaries/binaryKind';
import { isPortFree } from './freePort';
import { rotateLog } from './rotateLog';
import { findServer, type RunningServer } from './serverProcess';
import { hasWatchdog, startWatchdog } from './watchdog';

/** A server to look after. */
export interface KeptServer {
  name: ServerName;
  port: number;
  /** Starts it again with the same data and port. */
  restart: () => Promise<RunningServer>;
}

const LOOK_INTERVAL_MS = 1000;

/** Looks every second after the servers of a data directory: starts one again that was killed, and bounds their logs. */
export function keepRunning(
  dataDir: string,
  servers: readonly KeptServer[],
  onProgress: OnProgress,
): { stop(): Promise<void> } {
  let look: Promise<unknown> = Promise.resolve();
  let isBusy = false;
  const report = newsOnly(onProgress);
  const timer = setInterval(() => {
    if (isBusy) return;
    isBusy = true;
    look = lookAfter(dataDir, servers, report).finally(() => {
      isBusy = false;
    });
  }, LOOK_INTERVAL_MS);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await look;
    },
  };
}

async function lookAfter(dataDir: string, servers: readonly KeptServer[], report: OnProgress): Promise<void> {
  try {
    if (!hasWatchdog(dataDir)) startWatchdog(dataDir);
    await Promise.all(servers.map((server) => lookAfterServer(dataDir, server, report)));
  } catch (error) {
    report(messageOf(error));
  }
}

async function lookAfterServer(dataDir: string, server: KeptServer, report: OnProgress): Promise<void> {
  rotateLog(dataDir, server.name);
  if (findServer(dataDir, server.name)) return;
  report(`${server.name} ended unexpectedly: starting it again`);
  // Everybody knows it by this port: when somebody else has it, wait for it rather than move.
  if (!(await isPortFree(server.port))) return;
  const { port } = await server.restart();
  report(`${server.name} runs again on port ${port}`);
}

/** What cannot be mended would be told again every second. */
function newsOnly(onProgress: OnProgress): OnProgress {
  let last = '';
  return (line) => {
    if (line !== last) onProgress(line);
    last = line;
  };
}
