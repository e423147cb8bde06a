import type { Connection } from 'mongoose';
import { valuesAt } from '../../common/valuesAt';
import type { NamedByText, NamedRecord, UseByText, UsesByText } from '../../schema/namedByText';
import { type TextNames, textNames } from './textNames';

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
