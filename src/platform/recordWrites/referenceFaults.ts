import type { TSchema } from '@sinclair/typebox';
import { ObjectId } from 'bson';
import type { FieldError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { existingIds } from '#base/db/existingIds';
import { readLocal } from '#base/db/readLocal';
import { joinPath } from '#base/schema/joinPath';
import type { Resource } from '#base/schema/resource';
import type { OrgContext } from './writeContext';

interface Reference {
  /** Name of the resource referred to. */
  ref: string;
  id: ObjectId;
  /** Dotted path in the body, with positions in lists. */
  path: string;
}

/**
 * Returns a fault for each reference in a body to a record that the org does not have. It makes one query for each
 * resource that is referred to.
 */
export async function referenceFaults(resource: Resource, body: unknown, context: OrgContext): Promise<FieldError[]> {
  const references = [...referencesIn(resource.shape, body, '')];
  const names = [...new Set(references.map(({ ref }) => ref))];
  const faults = names.map((name) =>
    missing(
      name,
      references.filter(({ ref }) => ref === name),
      context,
    ),
  );
  return (await Promise.all(faults)).flat();
}

function* referencesIn(schema: TSchema, value: unknown, path: string): Generator<Reference> {
  const ref: unknown = schema['x-ref'];
  if (typeof ref === 'string' && value instanceof ObjectId) yield { ref, id: value, path };
  if (schema.type === 'array' && Array.isArray(value)) {
    for (const [index, each] of value.entries()) yield* referencesIn(schema.items, each, joinPath(path, String(index)));
  }
  if (schema.type !== 'object' || !schema.properties || typeof value !== 'object' || value === null) return;
  for (const [name, child] of Object.entries(value)) {
    const property = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
    if (property) yield* referencesIn(property, child, joinPath(path, name));
  }
}

async function missing(
  name: string,
  references: Reference[],
  { services, principal }: OrgContext,
): Promise<FieldError[]> {
  const target = services.resources.find((resource) => resource.name === name);
  const ids = references.map(({ id }) => id);
  const existing = target ? await existingIds(services.db, principal.org, target.path, ids, readLocal) : new Set();
  return references
    .filter(({ id }) => !existing.has(id.toHexString()))
    .map(({ path }) => ({ path, kind: 'reference', ...message('refs.noRecord', { name }) }));
}
