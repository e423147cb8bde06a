import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Where `npm run test:stores` says which stores it keeps. */
export const keptStoresFile = path.resolve(__dirname, '../../node_modules/.cache/test-stores.json');

/** Stores that `npm run test:stores` keeps. */
interface KeptStores {
  /** The process that keeps them. */
  pid: number;
  mongodbUri: string;
  redisUrl: string;
}

/** The stores that are kept; undefined when there are none, or who kept them is gone. */
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
