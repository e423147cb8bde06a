import { jsonIn } from '#base/common/jsonIn';
import { isPlainObject } from '#base/common/plainObject';
import { readableFields } from '#base/query/fields';
import type { StoredQuery } from '#base/query/storedQuery';
import { comparable } from '#base/schema/findable';
import type { NamedByText } from '#base/schema/namedByText';
import type { Resource } from '#base/schema/resource';
import { extModelName, itemModels } from '#records/extensions/extModels';

type Named = Omit<NamedByText, 'at'>;

/** The definitions that stored queries keep: what they say of members, users or activities names nothing that could go. */
export const modelsInQueries = [
  'Program',
  'PursePolicy',
  'TierPolicy',
  'Segment',
  'NamedList',
  'Product',
  'Location',
  'Partner',
  'Offer',
  'Reward',
  'ExtDef',
] as const;

/** Paths, by model, with values that name records by something other than their ids. */
const pathsOf: Readonly<Record<string, Readonly<Record<string, { model: string; field: string }>>>> = {
  Member: {
    'purses.name': { model: 'PursePolicy', field: 'name' },
    'tiers.name': { model: 'TierPolicy', field: 'name' },
    'tiers.level.name': { model: 'TierPolicy', field: 'levels.name' },
  },
  Product: { sku: { model: 'Product', field: 'sku' } },
  Location: { number: { model: 'Location', field: 'number' } },
  Partner: { code: { model: 'Partner', field: 'code' } },
  Offer: { code: { model: 'Offer', field: 'code' } },
  Reward: { code: { model: 'Reward', field: 'code' } },
};

/** Operators that compare with a value or a list of values. A range (`$gte`) and a `$regex` name nothing. */
const comparing = new Set(['$eq', '$ne', '$in', '$nin', '$all']);

/** The records that a stored query over the records of a resource names, and the extension fields that it uses. */
export function namesInQuery(query: StoredQuery | undefined, resource: Resource | undefined): Named[] {
  const parsed = typeof query === 'string' ? jsonIn(query) : query;
  if (!resource || !isPlainObject(parsed)) return [];
  return leavesIn(parsed, '')
    .map(([path, value]) => [withoutPositions(path), value] as const)
    .flatMap(([path, value]) => [
      ...(value === undefined ? [] : recordAt(resource, path, value)),
      ...extFieldAt(resource, path),
    ])
    .filter(({ model }) => modelsInQueries.some((each) => each === model));
}

/** `purses.0.name` names what `purses.name` names. */
function withoutPositions(path: string): string {
  return path
    .split('.')
    .filter((segment) => !/^\d+$/.test(segment))
    .join('.');
}

function recordAt(resource: Resource, path: string, value: string): Named[] {
  const paths = Object.hasOwn(pathsOf, resource.name) ? pathsOf[resource.name] : undefined;
  const named = paths && Object.hasOwn(paths, path) ? paths[path] : undefined;
  if (named) return [{ model: named.model, fields: { [named.field]: comparable(value) } }];
  const model = path === '_id' ? resource.name : readableFields(resource).find(path)?.ref;
  return model === undefined ? [] : [{ model, fields: { _id: value.toLowerCase() } }];
}

function extFieldAt({ name }: Resource, path: string): Named[] {
  const models = Object.entries({ ext: extModelName(name), ...itemModels });
  return models.flatMap(([at, of]): Named[] => {
    const place = at === 'ext' ? 'ext.' : `${at}.ext.`;
    const [field = ''] = path.startsWith(place) ? path.slice(place.length).split('.') : [];
    return field === '' ? [] : [{ model: 'ExtDef', fields: { of, field } }];
  });
}

/** Every path that a query uses, with the string that it is compared with, if any. */
function leavesIn(node: unknown, path: string): [path: string, text: string | undefined][] {
  if (typeof node === 'string') return [[path, node]];
  if (Array.isArray(node) && node.length > 0) return node.flatMap((each) => leavesIn(each, path));
  if (!isPlainObject(node)) return [[path, undefined]];
  return Object.entries(node).flatMap(([name, child]) => {
    if (!name.startsWith('$')) return leavesIn(child, path === '' ? name : `${path}.${name}`);
    const isNested = comparing.has(name) || isPlainObject(child) || isListOfObjects(child);
    return isNested ? leavesIn(child, path) : [[path, undefined] as [string, undefined]];
  });
}

function isListOfObjects(value: unknown): boolean {
  return Array.isArray(value) && value.every(isPlainObject);
}
