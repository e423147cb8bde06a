import type { ReadFact } from '../language/factRef';

/** The named lists that rules use, resolved for one batch before the evaluation. */
export interface ResolvedLists {
  /** By list name: the ids, SKUs, location numbers, partner codes and loyalty ids of the listed records. */
  byName: ReadonlyMap<string, ReadonlySet<string>>;
  /** By hexadecimal list id: the hexadecimal ids of the listed records. Filters use these. */
  byId: ReadonlyMap<string, ReadonlySet<string>>;
}

/** The resolved lists of a reader of facts; no lists if it has none. */
export function readResolvedLists(readFact: ReadFact): ResolvedLists {
  const lists = readFact(listsFact);
  return isLists(lists) ? lists : noLists;
}

function isLists(value: unknown): value is ResolvedLists {
  return typeof value === 'object' && value !== null && 'byName' in value && 'byId' in value;
}

/** The internal fact name of the resolved lists. It begins with a space, so no fact of rules can have it. */
export const listsFact = ' lists';

/** No named lists. */
export const noLists: ResolvedLists = { byName: new Map(), byId: new Map() };
