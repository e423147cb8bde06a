import type { TProperties } from '@sinclair/typebox';
import type { Collection, Connection, Model } from 'mongoose';
import type { Doc, Resource } from '../schema/resource';
import { mongooseSchema } from './mongooseSchema';

/** The Mongoose model of a resource on this connection, made at its first use: references are followed by it (decision 42). */
export function modelOf<P extends TProperties>(db: Connection, resource: Resource<P>): Model<Doc<P>> {
  const existing = db.models[resource.name];
  if (existing) return existing as unknown as Model<Doc<P>>;
  return db.model(resource.name, mongooseSchema(resource.shape), resource.path) as unknown as Model<Doc<P>>;
}

/** The driver's collection of a resource: what is read and written was checked and cast at the edge (decision 42). */
export function collectionOf<P extends TProperties>(db: Connection, resource: Resource<P>): Collection<Doc<P>> {
  return db.collection<Doc<P>>(resource.path);
}
