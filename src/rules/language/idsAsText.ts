import { ObjectId } from 'bson';

/** A record with its ObjectIds as hexadecimal texts, because rules compare ids as texts. */
export function idsAsText(value: object): Record<string, unknown> {
  const result: Record<string, unknown> = { ...value };
  for (const key in result) {
    const field = result[key];
    if (field instanceof ObjectId) result[key] = field.toHexString();
  }
  return result;
}
