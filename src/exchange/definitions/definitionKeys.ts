import type { TSchema } from '@sinclair/typebox';
import { isPlainObject } from '#base/common/plainObject';
import { comparable } from '#base/schema/findable';
import type { Resource } from '#base/schema/resource';
import { definitionResources } from './definitionResources';

/** How a file names a definition: by its one key field, or by an object with all of them. */
export type FileKey = string | { [field: string]: FileKey };

/** The lists of fields that each name a record within its org: those of its unique indexes. */
export function listUniqueFields({ indexes }: Pick<Resource, 'indexes'>): string[][] {
  const unique = indexes.filter((index) => index.unique && !index.where);
  return unique.map(({ keys }) => Object.keys(keys).filter((name) => name !== 'org'));
}

/** The fields that name a definition within its org: the first of {@link listUniqueFields}. */
export function definitionKeyFields(resource: Pick<Resource, 'indexes'>): string[] {
  return listUniqueFields(resource)[0] ?? [];
}

/** How references to a definition in its file form name it; undefined when a key field is missing. */
export function readFileKey(resource: Resource, body: Record<string, unknown>): FileKey | undefined {
  const fields = definitionKeyFields(resource).map((name) => [name, body[name]] as const);
  const [first, ...others] = fields;
  if (first && others.length === 0) return isFileKey(first[1]) ? first[1] : undefined;
  const key: Record<string, unknown> = Object.fromEntries(fields);
  return isFileKey(key) ? key : undefined;
}

function isFileKey(value: unknown): value is FileKey {
  if (typeof value === 'string') return true;
  return isPlainObject(value) && Object.values(value).every(isFileKey);
}

/**
 * The canonical string of a key: `programs/coffee`, `pursepolicies/coffee/Points`. Different definitions have different
 * strings.
 * @returns undefined when the value does not name all key fields, or more than them
 */
export function definitionKeyText(resource: Resource, key: unknown): string | undefined {
  const parts = keyParts(resource, key);
  return parts && [resource.path, ...parts.map(encoded)].join('/');
}

function keyParts(resource: Resource, key: unknown): string[] | undefined {
  const names = definitionKeyFields(resource);
  const values = names.length === 1 && !isPlainObject(key) ? { [names[0] ?? '']: key } : key;
  if (!isPlainObject(values) || Object.keys(values).length !== names.length) return undefined;
  const parts = names.map((name) => keyPart(resource.shape.properties[name], values[name]));
  return parts.some((part) => part === undefined) ? undefined : parts.flatMap((part) => part ?? []);
}

function keyPart(schema: TSchema | undefined, value: unknown): string[] | undefined {
  const target = definitionResources.find(({ name }) => name === schema?.['x-ref']);
  if (target) return keyParts(target, value);
  return typeof value === 'string' ? [comparable(value)] : undefined;
}

function encoded(part: string): string {
  return encodeURIComponent(part).replace(/[()]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
}

/** The name of a definition for people: `coffee`, `coffee/Points`. */
export function labelOfKey(keyText: string): string {
  return keyText.split('/').slice(1).map(decodeURIComponent).join('/');
}
