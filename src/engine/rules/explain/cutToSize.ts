import type { MatchReason } from '../language/decision';

/** Most bytes of the entries of an explanation that shows not every rule. */
const bytesMax = 85_000;

interface Entry {
  fired: boolean;
  reason?: MatchReason | undefined;
}

/**
 * The entries of an explanation that fit into its size, in their order: those that fired or were cut before all others,
 * then those that lack least, then those that did not apply at the date. All of them when they fit.
 * @param nearestFix how much a rule lacks; the same for all when it is not known
 */
export function cutToSize<T extends Entry>(
  entries: readonly T[],
  lackOf: (entry: T) => number = () => 0,
): { shown: T[]; omitted: number } {
  const sizes = new Map(entries.map((entry) => [entry, Buffer.byteLength(JSON.stringify(entry))]));
  let left = bytesMax;
  const nearest = [...entries].sort((a, b) => keepRank(a) - keepRank(b) || lackOf(a) - lackOf(b));
  const fit = new Set<T>();
  for (const entry of nearest) {
    left -= sizes.get(entry) ?? 0;
    if (left < 0) break;
    fit.add(entry);
  }
  return { shown: entries.filter((entry) => fit.has(entry)), omitted: entries.length - fit.size };
}

function keepRank({ fired, reason }: Entry): number {
  if (fired) return 0;
  if (reason === 'conditionFailed') return 2;
  return reason === 'notEffective' ? 3 : 1;
}
