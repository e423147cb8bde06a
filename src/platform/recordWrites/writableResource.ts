import type { TProperties } from '@sinclair/typebox';
import type { Resource } from '#base/schema/resource';
import type { ReadUpdate } from './readUpdate';
import type { RecordRules } from './recordRules';

/** A resource, its rules, and the reader of its updates. */
export interface WritableResource<P extends TProperties, B> {
  resource: Resource<P>;
  rules: RecordRules<P, B>;
  readUpdate: ReadUpdate<P>;
}

/** Refuses a record as it is before a write of it, for example one of another version than the client has. */
export type Expect = (doc: object) => void;
