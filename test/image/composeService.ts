import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { ComposeService } from './composeFile';
import type { ImageForm } from './imageForm';

/** Where a container's places are on this machine, and the program that is `node` in the image. */
export interface ContainerPlace {
  image: ImageForm;
  secrets: string;
  rules: string;
  node: string;
}

/** A process of the api or the worker of docker-compose.yml. */
export interface RunningService {
  url: string;
  /** What the process wrote so far: its log and its errors. */
  output(): string;
  /** Runs the health check of the service in its environment; returns the exit code. */
  checkHealth(): Promise<number>;
  /** Runs a command line in the environment of the service, as `docker compose exec` does. Returns what it wrote. */
  exec(commandLine: string): Promise<{ code: number; text: string }>;
  /** Ends the process with SIGTERM; returns the exit code. */
  stop(): Promise<number | null>;
}

/** The environment of a service on this machine: the image's and that of docker-compose.yml, on free loopback ports. */
function environmentOf({ environment }: ComposeService, place: ContainerPlace): Record<string, string> {
  const here: Record<string, string> = {
    '/run/secrets': place.secrets,
    '/app/rules': place.rules,
    '0.0.0.0': '127.0.0.1',
    '/tmp': path.join(place.secrets, '../tmp'),
  };
  const placed = Object.entries({ ...place.image.environment, ...environment }).map(([name, value]) => [
    name,
    String(value).replace(/^(?:\/run\/secrets|\/app\/rules|\/tmp|0\.0\.0\.0)\b/, (there) => here[there] ?? there),
  ]);
  const ports = ['PORT', 'WORKER_PORT'].filter((name) => name in environment).map((name) => [name, '0']);
  const { PATH = '' } = process.env;
  return { ...Object.fromEntries([...placed, ...ports]), PATH: `${path.dirname(place.node)}:${PATH}` };
}

/** Starts a service with its command, in the folder that is /app, and waits until it listens. */
export async function startService(service: ComposeService, place: ContainerPlace): Promise<RunningService> {
  const env = environmentOf(service, place);
  const [program = '', ...args] = service.command;
  const cwd = place.image.app;
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += String(chunk);
    });
  }
  const ended = once(child, 'close');
  const url = await untilListening(child, ended, () => output);
  const listening = Object.fromEntries(
    ['PORT', 'WORKER_PORT'].filter((name) => name in env).map((name) => [name, new URL(url).port]),
  );
  return {
    url,
    output: () => output,
    async checkHealth() {
      const [, checker = '', ...rest] = service.healthcheck.test;
      return (await run(checker, rest, { cwd, env: { ...env, ...listening } })).code;
    },
    exec: (commandLine) => run('sh', ['-c', commandLine], { cwd, env }),
    async stop() {
      child.kill('SIGTERM');
      await ended;
      return child.exitCode;
    },
  };
}

async function untilListening(child: ChildProcess, ended: Promise<unknown>, output: () => string): Promise<string> {
  for (;;) {
    const [url] = /http:\/\/\S+/.exec(output()) ?? [];
    if (url) return url;
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`ended before it listened: ${output()}`);
    await Promise.race([once(child.stdout as NodeJS.ReadableStream, 'data'), ended]);
  }
}

function run(program: string, args: string[], options: { cwd: string; env: Record<string, string> }) {
  return new Promise<{ code: number; text: string }>((resolve) => {
    const child = execFile(program, args, options, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, text: `${stdout}${stderr}` }),
    );
    child.stdin?.end();
  });
}
