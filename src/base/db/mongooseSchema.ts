import type { TObject, TSchema } from '@sinclair/typebox';
import { Schema } from 'mongoose';

type Path = Record<string, unknown>;

/**
 * Derives the Mongoose schema of a resource: the types and refs that are needed to follow references. Nothing is
 * written through it, so it validates nothing and sets no defaults. The resource declares the indexes.
 */
export function mongooseSchema(shape: TObject): Schema {
  return new Schema(schemaPaths(shape), {
    versionKey: false,
    autoIndex: false,
    autoCreate: false,
    // The service never makes Mongoose documents, so a field named `errors` cannot collide with theirs.
    suppressReservedKeysWarning: true,
  });
}

function schemaPaths(shape: TObject): Record<string, Path> {
  return Object.fromEntries(Object.entries(shape.properties).map(([name, schema]) => [name, schemaPath(schema)]));
}

function schemaPath(schema: TSchema): Path {
  if (schema['x-objectId']) {
    return { type: Schema.Types.ObjectId, ...(schema['x-ref'] === undefined ? {} : { ref: schema['x-ref'] }) };
  }
  if (schema['x-date']) return { type: Date };
  if (schema.type === 'string') return { type: String };
  if (schema.type === 'integer' || schema.type === 'number') return { type: Number };
  if (schema.type === 'boolean') return { type: Boolean };
  if (schema.type === 'array') return { type: [schemaPath(schema.items as TSchema)] };
  if (schema.type === 'object' && schema.properties) {
    return {
      type: new Schema(schemaPaths(schema as TObject), { _id: false, suppressReservedKeysWarning: true }),
    };
  }
  return { type: Schema.Types.Mixed };
}
