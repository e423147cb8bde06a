import { createHash } from 'node:crypto';
import type { FactRef } from '../language/factRef';

/** Longest params that are kept as they are, as JSON. */
const paramsMax = 300;

/** The params of a fact as histories keep them: long ones as a hash, since the rule set holds them. */
export function keptParams(params: FactRef['params']): { params?: FactRef['params']; paramsHash?: string } {
  if (params === undefined) return {};
  const text = JSON.stringify(params);
  if (text.length <= paramsMax) return { params };
  return { paramsHash: createHash('sha256').update(text).digest('hex') };
}
