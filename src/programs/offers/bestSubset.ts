/** Most items of which every combination is compared (docs/design/offers.md). */
export const comparedMax = 8;

/** Which items may be chosen, and what they are worth. */
export interface Choosing<T> {
  /** Most items to choose. */
  most: number;
  goTogether(a: T, b: T): boolean;
  /** What an item is worth alone; 0 or more. */
  alone(item: T): number;
  /**
   * What a combination is worth; never more than what nothing chosen is worth and what each of it is worth alone.
   * Undefined when it is no choice of its own.
   */
  together(chosen: readonly T[]): number | undefined;
}

interface Chosen<T> {
  items: T[];
  worth: number;
}

/**
 * Chooses the allowed combination that is worth most; of equal ones, the one with the item that comes first. It compares
 * every combination of the {@link comparedMax} items that are worth most alone. The others follow in the order of what
 * they are worth alone: each joins when it still may and takes nothing away.
 * @param items in order
 */
export function bestSubset<T>(items: readonly T[], choosing: Choosing<T>): T[] {
  const byWorth = items
    .map((item, index) => ({ item, index, worth: choosing.alone(item) }))
    .sort((a, b) => b.worth - a.worth || a.index - b.index);
  const compared = byWorth.slice(0, comparedMax).sort((a, b) => a.index - b.index);
  const best = bestOfAll(
    compared.map(({ item }) => item),
    choosing,
  );
  return byWorth.slice(comparedMax).reduce((chosen, { item }) => withItem(chosen, item, choosing), best).items;
}

/** Branch and bound: with the first items first, so of equal combinations the first found is the one to choose. */
function bestOfAll<T>(items: readonly T[], choosing: Choosing<T>): Chosen<T> {
  const { most, goTogether, alone, together } = choosing;
  const none = together([]) ?? 0;
  let best: Chosen<T> = { items: [], worth: Number.NEGATIVE_INFINITY };
  const search = (index: number, chosen: T[], bound: number): void => {
    if (bound <= best.worth) return;
    const item = items[index];
    if (item === undefined) {
      const worth = together(chosen);
      if (worth !== undefined && worth > best.worth) best = { items: chosen, worth };
      return;
    }
    const mayJoin = chosen.length < most && chosen.every((each) => goTogether(each, item));
    if (mayJoin) search(index + 1, [...chosen, item], bound);
    search(index + 1, chosen, bound - alone(item));
  };
  search(
    0,
    [],
    items.reduce((sum, item) => sum + alone(item), none),
  );
  return best;
}

function withItem<T>(chosen: Chosen<T>, item: T, { most, goTogether, together }: Choosing<T>): Chosen<T> {
  if (chosen.items.length >= most || !chosen.items.every((each) => goTogether(each, item))) return chosen;
  const items = [...chosen.items, item];
  const worth = together(items);
  return worth !== undefined && worth >= chosen.worth ? { items, worth } : chosen;
}
