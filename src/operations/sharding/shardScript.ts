import { ObjectId } from 'bson';
import { type IndexSpec, indexSpecs } from '#base/db/indexSpecs';
import type { Resource } from '#base/schema/resource';
import { type ShardKey, shardKeys } from './shardKeys';

/** A zone of shards, and the first org whose records it holds: up to the first one of the next zone. */
export interface Zone {
  name: string;
  /** Absent: from the first org of all on. Only the first zone lacks it. */
  from?: ObjectId;
}

/**
 * Reads zones as an operator writes them: `eu,us:65f0c0ffee0000000000abcd`, in the order of the ids of orgs.
 * @returns undefined when the text does not fit
 */
export function readZones(text: string): Zone[] | undefined {
  const zones = text.split(',').map((each) => each.trim().split(':'));
  const isFit = zones.every(([name = '', from, ...more], place) => {
    const isNamed = /^[\w.-]+$/.test(name) && more.length === 0;
    return isNamed && (place === 0 ? from === undefined : /^[0-9a-f]{24}$/.test(from ?? ''));
  });
  const begins = zones.slice(1).map(([, from = '']) => from);
  if (!isFit || begins.some((from, place) => from <= (begins[place - 1] ?? ''))) return undefined;
  return zones.map(([name = '', from]) => ({ name, ...(from === undefined ? {} : { from: new ObjectId(from) }) }));
}

/**
 * The lines for mongosh that shard a database: the indexes that shard keys need and the service does not, the zones of
 * each collection, and its key. They may run again.
 */
export function shardScript(database: string, resources: readonly Resource[], zones: readonly Zone[]): string[] {
  const specs = indexSpecs(resources);
  return [
    `db = db.getSiblingDB(${JSON.stringify(database)})`,
    ...Object.entries(shardKeys).flatMap(([collection, key]) => [
      ...(hasIndex(specs, collection, key) ? [] : [`db.${collection}.createIndex(${shown(key)})`]),
      ...(key[0] === 'org' ? zoneLines(`${database}.${collection}`, key, zones) : []),
      `sh.shardCollection(${JSON.stringify(`${database}.${collection}`)}, ${shown(key)})`,
    ]),
  ];
}

/** Tells whether an index of a collection is there for its shard key alone, so that no resource declares it. */
export function isOfShardKey({ collection, name }: { collection: string; name: string }): boolean {
  return name === shardKeys[collection]?.map((field) => `${field}_1`).join('_');
}

/** The index of a shard key has every record. */
function hasIndex(specs: readonly IndexSpec[], collection: string, key: ShardKey): boolean {
  if (key.join() === '_id') return true;
  return specs.some((spec) => {
    const fields = Object.keys(spec.key);
    const isWhole = spec.collection === collection && !spec.partialFilterExpression;
    return isWhole && key.every((field, place) => fields[place] === field);
  });
}

function shown(key: ShardKey, value: (field: string) => string = () => '1'): string {
  return `{ ${key.map((field) => `${field}: ${value(field)}`).join(', ')} }`;
}

function zoneLines(namespace: string, key: ShardKey, zones: readonly Zone[]): string[] {
  const bound = (from: ObjectId | undefined, otherwise: string) =>
    shown(key, (field) => {
      if (!from) return otherwise;
      return field === 'org' ? `ObjectId("${from.toHexString()}")` : 'MinKey()';
    });
  return zones.map(({ name, from }, place) => {
    const range = [bound(from, 'MinKey()'), bound(zones[place + 1]?.from, 'MaxKey()')];
    return `sh.updateZoneKeyRange(${JSON.stringify(namespace)}, ${range.join(', ')}, ${JSON.stringify(name)})`;
  });
}
