import { createHash } from 'node:crypto';
import type { FactRef } from '../language/factRef';

/** Maximum length of params that a history stores as they are, in characters of JSON. */
const paramsMax = 300;

/** The params of a fact as a history stores them. Long params become a hash, since the rule set contains them. */
export function snapshotParams(params: FactRef['params']): { params?: FactRef['params']; paramsHash?: string } {
  if (params === undefined) return {};
  const text = JSON.stringify(params);
  if (text.length <= paramsMax) return { params };
  return { paramsHash: createHash('sha256').update(text).digest('hex') };
}
