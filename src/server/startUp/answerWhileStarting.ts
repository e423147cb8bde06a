import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { errorCodes } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { type OnProgress, progressTo } from '#base/common/progressTo';
import { runningVersion } from '#base/common/version';
import { listeningPort, openServer } from '#platform/http/openServer';
import { serveLimits } from '#platform/http/serveLimits';

/** A server that reports the progress of a start, until the service itself answers. */
export interface Starting {
  port: number;
  /** Tells what takes long, in readiness and in the standard error output. */
  tell: OnProgress;
  /** Stops answering, and hands the server over: it keeps listening. */
  handOver(): Server;
  /** Stops listening, when the start failed. */
  close(): void;
}

/** The most connections while the service starts: only probes and impatient clients come. */
const connectionsMax = 256;

/**
 * Listens from now on, so that a long start, such as an upgrade, is visible: the process lives, and is not ready.
 * Everything else is answered with 503.
 */
export async function answerWhileStarting(
  { HOST, PORT }: { HOST: string; PORT: number },
  write: OnProgress = progressTo(process.stderr),
): Promise<Starting> {
  const server = await openServer({ host: HOST, port: PORT }, serveLimits);
  server.maxConnections = connectionsMax;
  let progress: string | undefined;
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const [status, body] = answerTo(request, progress);
    response.writeHead(status, {
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': 'no-store',
      Connection: 'close',
      ...(status === 503 ? { 'Retry-After': '1' } : {}),
    });
    response.end(request.method === 'HEAD' ? undefined : JSON.stringify(body));
  };
  server.on('request', answer);
  return {
    port: listeningPort(server),
    tell(line, isUpdate) {
      progress = line;
      write(line, isUpdate);
    },
    handOver() {
      server.off('request', answer);
      // No answer is under way: each is given at once. A client sends its next request on a new connection.
      server.closeAllConnections();
      return server;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function answerTo({ url = '' }: IncomingMessage, progress: string | undefined): [number, unknown] {
  const path = url.split('?')[0];
  if (path === '/health/live') return [200, { status: 'up', ...runningVersion() }];
  if (path === '/health/ready') {
    return [503, { status: progress ? 'migrating' : 'starting', ...(progress ? { progress } : {}), checks }];
  }
  const { code, status } = errorCodes.unavailable;
  return [status, { code, ...message('http.starting'), status, requestId: randomUUID() }];
}

/** The start waited for both stores before. The rest is not known yet. */
const checks = {
  database: 'up',
  redis: 'up',
  overdueTimers: [],
  indexes: [],
  ruleSet: { version: null, faults: 0, withoutRules: [] },
};
