import { isDeepStrictEqual } from 'node:util';
import type { ObjectId } from 'bson';

/** A record of the database. */
export type StoredRecord = Record<string, unknown> & { _id: ObjectId };

/** A field of a stored record with another value than the definition gives it. Both values are as JSON has them. */
export interface Difference {
  field: string;
  stored: unknown;
  defined: unknown;
}

/**
 * The fields of a definition whose stored values are others. A field that only the stored record has is none.
 * @param body the definition as written; its fields are compared
 * @param record the same, parsed and with the ids of the database; fields that it does not have are not compared
 */
export function differencesOf(
  body: Record<string, unknown>,
  record: Record<string, unknown>,
  stored: StoredRecord,
): Difference[] {
  const fields = Object.keys(body).filter((name) => name in record);
  const all = fields.map((field) => ({ field, stored: asJson(stored[field]), defined: asJson(record[field]) }));
  return all.filter((each) => !isDeepStrictEqual(each.stored, each.defined));
}

function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null));
}
