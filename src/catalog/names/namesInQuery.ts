import { isPlainObject } from '../../common/plainObject';
import type { StoredQuery } from '../../query/storedQuery';
import type { NamedByText } from '../../schema/namedByText';

/** What a path of a query over members names, by its value. */
const memberPaths: Readonly<Record<string, { model: string; field: string }>> = {
  'purses.name': { model: 'PursePolicy', field: 'name' },
  'tiers.name': { model: 'TierPolicy', field: 'name' },
  'tiers.level.name': { model: 'TierPolicy', field: 'levels.name' },
  segments: { model: 'Segment', field: '_id' },
};

/** Paths by model whose values name records: a list by query of these records names them too. */
const pathsOf: Readonly<Record<string, typeof memberPaths>> = {
  Member: memberPaths,
  Product: { sku: { model: 'Product', field: 'sku' } },
  Location: { number: { model: 'Location', field: 'number' } },
  Partner: { code: { model: 'Partner', field: 'code' } },
  Offer: { code: { model: 'Offer', field: 'code' } },
  Reward: { code: { model: 'Reward', field: 'code' } },
};

/** Operators whose value is one to compare with, or a list of them. */
const comparing = new Set(['$eq', '$ne', '$in', '$nin', '$all']);

/** The records that a stored query over the records of a model names. */
export function namesInQuery(query: StoredQuery | undefined, model: string): Omit<NamedByText, 'at'>[] {
  const paths = Object.hasOwn(pathsOf, model) ? pathsOf[model] : undefined;
  const parsed = typeof query === 'string' ? parseText(query) : query;
  if (!paths || !isPlainObject(parsed)) return [];
  return valuesIn(parsed, '').flatMap(([path, value]) => {
    const named = Object.hasOwn(paths, path) ? paths[path] : undefined;
    return named ? [{ model: named.model, fields: { [named.field]: value } }] : [];
  });
}

/** Every text that a query compares with, after its path. */
function valuesIn(node: unknown, path: string): [string, string][] {
  if (typeof node === 'string') return [[path, node]];
  if (Array.isArray(node)) return node.flatMap((each) => valuesIn(each, path));
  if (!isPlainObject(node)) return [];
  return Object.entries(node).flatMap(([name, child]) => {
    if (!name.startsWith('$')) return valuesIn(child, path === '' ? name : `${path}.${name}`);
    const isNested = comparing.has(name) || isPlainObject(child) || isListOfObjects(child);
    return isNested ? valuesIn(child, path) : [];
  });
}

function isListOfObjects(value: unknown): boolean {
  return Array.isArray(value) && value.every(isPlainObject);
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
