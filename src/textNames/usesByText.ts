import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { valuesAt } from '../common/valuesAt';
import type { NamedByText } from './namedByText';
import { type TextNames, textNames } from './textNames';

/** A record that would name nothing any more after a change. */
export interface UseByText {
  /** Collection and name of the naming record. */
  by: string;
  named: NamedByText;
}

/**
 * Finds which records name a record by a text that a change, or the deletion, would break: one for each naming resource.
 * The database may be that of a transaction.
 */
export type UsesByText = (db: Connection, change: NamedRecord) => Promise<UseByText[]>;

/** A record of an org that is to change, or to go. */
interface NamedRecord {
  org: ObjectId;
  model: string;
  before: { _id?: unknown };
  after?: object;
}

/** {@link UsesByText} by the list of all names in texts. */
export const usesByText: UsesByText = async (db, change) => {
  const asked = textNames.filter(({ models }) => models.includes(change.model));
  const found = await Promise.all(asked.map((each) => firstUse(db, each, change)));
  return found.flatMap((use) => use ?? []);
};

async function firstUse(
  db: Connection,
  { in: { path, name: namer }, namers }: TextNames,
  { org, model, before, after }: NamedRecord,
): Promise<UseByText | undefined> {
  for await (const { _id, name, names } of namers(db, org)) {
    if (namer === model && _id.equals(String(before._id))) continue;
    const named = names.find((each) => each.model === model && meets(before, each) && !(after && meets(after, each)));
    if (named) return { by: `${path} "${name}"`, named };
  }
  return undefined;
}

function meets(record: object, { fields }: NamedByText): boolean {
  return Object.entries(fields).every(([path, value]) => valuesAt(record, path).map(String).includes(value));
}
