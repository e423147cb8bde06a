import type { ReadFact } from '../language/factRef';

/** The named lists that rules look at, resolved for one batch before evaluation. */
export interface ResolvedLists {
  /** Texts that stand for listed records by the list's name: ids, SKUs, location numbers, partner codes, loyalty ids. */
  byName: ReadonlyMap<string, ReadonlySet<string>>;
  /** Hexadecimal ids of listed records by the list's hexadecimal id; what filters are matched with. */
  byId: ReadonlyMap<string, ReadonlySet<string>>;
}

/** The resolved lists that a reader of facts knows. */
export function listsOf(readFact: ReadFact): ResolvedLists {
  const lists = readFact(listsFact);
  return isLists(lists) ? lists : noLists;
}

function isLists(value: unknown): value is ResolvedLists {
  return typeof value === 'object' && value !== null && 'byName' in value && 'byId' in value;
}

/** What the resolved lists are read by; no fact of rules, whose names are words. */
export const listsFact = ' lists';

/** No named lists. */
export const noLists: ResolvedLists = { byName: new Map(), byId: new Map() };
