import type { ObjectId } from 'bson';

/**
 * Makes a function that returns the hexadecimal form of an id. Records come in order of their members and activities, so
 * most ids are the same as the one before, and comparing takes a tenth of the time of converting.
 */
export function repeatedKey(): (id: ObjectId) => string {
  let last: ObjectId | undefined;
  let key = '';
  return (id) => {
    if (!last?.equals(id)) {
      last = id;
      key = id.toHexString();
    }
    return key;
  };
}
