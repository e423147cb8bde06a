import { valuesAt } from '#base/common/valuesAt';
import type { NamedByText, NamedRecord, StoredNames, UseByText, UsesByText } from '#base/schema/namedByText';
import { asNamed } from '#programs/extensions/namedExtDef';
import { type TextNames, textNames } from './textNames';

/** {@link UsesByText} by the list of all names in strings. */
export const usesByText: UsesByText = async (services, sent) => {
  const change = await asNamed(services.db, sent);
  const relevant = textNames.filter(({ models }) => models.includes(change.model));
  const found = await Promise.all(relevant.map((each) => firstUse(services, each, change)));
  return found.flatMap((use) => use ?? []);
};

async function firstUse(
  services: StoredNames,
  { in: { path, name: namer }, namers }: TextNames,
  { org, model, before, after }: NamedRecord,
): Promise<UseByText | undefined> {
  for await (const { _id, name, names } of namers(services, org)) {
    if (namer === model && _id.equals(String(before._id))) continue;
    const named = names.find((each) => each.model === model && meets(before, each) && !(after && meets(after, each)));
    if (named) return { by: `${path} "${name}"`, named };
  }
  return undefined;
}

function meets(record: object, { fields }: NamedByText): boolean {
  return Object.entries(fields).every(([path, value]) => valuesAt(record, path).map(String).includes(value));
}
