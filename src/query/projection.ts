import type { Resource } from '../schema/resource';
import type { ReadRequest } from './parseQuery';
import { ancestors, isInclusive, type Projection } from './select';

/**
 * The projection of a read: what `select` asks for, without hidden fields. References to be populated are answered even
 * when `select` does not name them.
 */
export function projectionOf(
  resource: Resource,
  { select, populate }: Pick<ReadRequest, 'select' | 'populate'>,
): Projection {
  const hidden = Object.fromEntries(resource.hidden.map((name) => [name, 0] as const));
  if (!select) return hidden;
  if (!isInclusive(select)) return { ...select, ...hidden };
  const missing = populate.filter(({ path }) => ![...ancestors(path), path].some((named) => select[named] === 1));
  return { ...select, ...Object.fromEntries(missing.map(({ path }) => [path, 1] as const)) };
}
