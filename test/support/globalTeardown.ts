import { rmSync } from 'node:fs';
import path from 'node:path';
import './translateTypeScript.cjs';
import { takeUnkeyed } from './shardKeys/report';

/**
 * Stops the servers that `globalSetup` started and deletes their data.
 * @throws Error for commands without a shard key that no test file has seen: their processes ended after it
 */
export default async function globalTeardown(): Promise<void> {
  await globalThis.endSpareServices?.();
  await globalThis.stopTestServers?.();
  // The run of a test that starts this one reads them.
  if (process.env.TEST_WITHIN_TEST) return;
  const unkeyed = takeUnkeyed();
  if (process.env.UNKEYED_COMMANDS)
    rmSync(path.dirname(process.env.UNKEYED_COMMANDS), { recursive: true, force: true });
  if (unkeyed.length > 0) throw new Error(`Commands without a shard key:\n${unkeyed.join('\n')}`);
}
