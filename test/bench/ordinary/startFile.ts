import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { nodeFlags, type StartedServer } from '../benchWorld';

/** Starts a file of this folder that prints its address, with the flags of the service's API. */
export async function startFile(name: string, settings: Readonly<Record<string, string>>): Promise<StartedServer> {
  const hook = path.join(__dirname, '../../support/registerTypeScript.cjs');
  const child = spawn(process.execPath, [...nodeFlags, '--require', hook, path.join(__dirname, name)], {
    env: { PATH: process.env.PATH, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const kill = () => child.kill();
  process.once('exit', kill);
  const [line] = await once(child.stdout, 'data');
  return {
    url: String(line).trim(),
    pid: child.pid ?? 0,
    async stop() {
      process.removeListener('exit', kill);
      const exited = once(child, 'exit');
      child.kill();
      await exited;
    },
  };
}
