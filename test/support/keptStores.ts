import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The file in which `npm run test:stores` writes the addresses of its stores. */
export const keptStoresFile = path.resolve(__dirname, '../../node_modules/.cache/test-stores.json');

/** The stores of a running `npm run test:stores`. */
interface KeptStores {
  /** The id of the process that started them. */
  pid: number;
  mongodbUri: string;
  redisUrl: string;
}

/** Reads the stores of `npm run test:stores`; undefined when that process does not run. */
export function keptStores(): KeptStores | undefined {
  if (!existsSync(keptStoresFile)) return undefined;
  const kept: KeptStores = JSON.parse(readFileSync(keptStoresFile, 'utf8'));
  try {
    process.kill(kept.pid, 0);
    return kept;
  } catch {
    return undefined;
  }
}
