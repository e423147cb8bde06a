import type { TProperties } from '@sinclair/typebox';
import { record, text } from '#base/schema/atoms';
import { locationFields } from '#records/catalog/locationFields';
import { partnerFields } from '#records/catalog/partnerFields';
import { productFields } from '#records/catalog/productFields';
import { idsAsText } from '../language/operators';

/** The shapes of the facts that are records: the location, the partner and products of an activity. */
export const recordShapes = {
  location: recordShape(locationFields),
  partner: recordShape(partnerFields),
  product: recordShape(productFields),
};

function recordShape(fields: TProperties) {
  return record({ _id: text(24), ...fields });
}

/** Makes the fact of a stored record: only the fields of the shape, ids as strings. Undefined without a record. */
export function recordFact(
  kind: keyof typeof recordShapes,
  stored: Readonly<Record<string, unknown>> | undefined,
): Record<string, unknown> | undefined {
  if (!stored) return undefined;
  const names = Object.keys(recordShapes[kind].properties);
  return idsAsText(
    Object.fromEntries(names.flatMap((name) => (stored[name] === undefined ? [] : [[name, stored[name]] as const]))),
  );
}
