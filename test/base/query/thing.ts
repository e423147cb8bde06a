import { Type } from '@sinclair/typebox';
import { readableFields } from '#base/query/fields';
import {
  anyValue,
  computedField,
  count,
  decimal,
  ext,
  freeObject,
  instant,
  list,
  objectId,
  record,
  text,
} from '#base/schema/atoms';
import { defineResource } from '#base/schema/resource';

const optional = Type.Optional;

/** The resource that things refer to. */
export const boxResource = defineResource({
  name: 'Box',
  path: 'boxes',
  fields: { name: text(), secret: optional(text()), ext: ext() },
  hidden: ['secret'],
});

/** A resource with a field of every kind, for the tests of the query language. */
export const thingResource = defineResource({
  name: 'Thing',
  path: 'things',
  fields: {
    name: optional(text()),
    size: optional(count()),
    weight: optional(decimal()),
    isFresh: optional(Type.Boolean()),
    madeAt: optional(instant()),
    box: optional(objectId('Box')),
    lost: optional(objectId('Nowhere')),
    tags: optional(list(text())),
    marks: optional(list(decimal())),
    days: optional(list(instant())),
    address: optional(record({ city: optional(text()), at: optional(record({ x: decimal(), y: decimal() })) })),
    parts: optional(
      list(
        record({
          name: optional(text()),
          count: optional(count()),
          box: optional(objectId('Box')),
          codes: optional(list(text())),
        }),
      ),
    ),
    notes: optional(list(freeObject())),
    any: optional(anyValue()),
    // A filter as offers have it: criteria by field, and what an answer adds.
    filter: optional(
      record({
        params: optional(
          anyValue({
            type: ['object', 'string'],
            additionalProperties: record({ text: optional(text()), isAdded: computedField() }),
          }),
        ),
        count: computedField(),
      }),
    ),
    query: optional(text()),
    secret: optional(text()),
    ext: ext(),
  },
  hidden: ['secret'],
  indexes: [{ keys: { org: 1, size: 1 } }],
});

/** The fields that arguments may name. */
export const thingFields = readableFields(thingResource);
