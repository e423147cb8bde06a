import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { environment } from '../../../support/processes';
import type { World } from '../../../support/world';

const root = path.resolve(__dirname, '../../../..');

/** Starts a command of the service, as `npm run` does, on the stores of a world. */
export function startCommand(
  { services }: World,
  name: 'archive' | 'backup' | 'definitions',
  args: readonly string[],
  clockShiftMs = 0,
): ChildProcess {
  const required = ['registerTypeScript', ...(clockShiftMs === 0 ? [] : ['shiftClock'])];
  const loaded = required.flatMap((each) => ['--require', `./test/support/${each}.cjs`]);
  return spawn(process.execPath, [...loaded, `src/commands/${name}.ts`, ...args], {
    cwd: root,
    env: { PATH: process.env.PATH, ...environment(services.config), CLOCK_SHIFT_MS: String(clockShiftMs) },
    stdio: 'ignore',
  });
}
