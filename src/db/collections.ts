import type { TProperties } from '@sinclair/typebox';
import type { Collection, Connection, Model } from 'mongoose';
import type { Doc, Resource } from '../schema/resource';
import { mongooseSchema } from './mongooseSchema';

/** The Mongoose model of a resource on this connection. */
export function modelOf<P extends TProperties>(db: Connection, resource: Resource<P>): Model<Doc<P>> {
  const existing = db.models[resource.name];
  if (existing) return existing as unknown as Model<Doc<P>>;
  return db.model(resource.name, mongooseSchema(resource.shape), resource.path) as unknown as Model<Doc<P>>;
}

/** The driver's collection of a resource, for the hot paths that need neither casting nor hydration. */
export function collectionOf<P extends TProperties>(db: Connection, resource: Resource<P>): Collection<Doc<P>> {
  return db.collection<Doc<P>>(resource.path);
}
