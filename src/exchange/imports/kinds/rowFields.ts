import type { TObject, TProperties } from '@sinclair/typebox';
import { record } from '#base/schema/atoms';
import type { Resource } from '#base/schema/resource';
import { isReadOnly } from '#base/schema/roundTrip';
import type { ImportKind } from './importKind';

interface Differing {
  body?: TObject;
  required: readonly (readonly string[])[];
  prefixes?: readonly string[];
  points?: readonly string[];
  /** Fields of a row in addition to those of the body. */
  more?: TProperties;
}

/** The fields of rows of a resource: those that a creation may have. All others of the record are not read. */
export function importRowFields<P extends TProperties>(
  resource: Resource<P>,
  differing: Differing,
): ImportKind['fields'] {
  const { required, prefixes = [], points = [], more = {} } = differing;
  const { properties } = differing.body ?? (resource.createBody as TObject);
  const written = Object.entries(properties).filter(([, schema]) => !isReadOnly(schema));
  const body = record({ ...Object.fromEntries(written), ...more });
  const notRead = Object.keys(resource.shape.properties).filter((name) => !(name in body.properties));
  return { body, notRead: new Set(notRead), required, prefixes, points, amounts: [] };
}
