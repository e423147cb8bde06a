/** A member's tier under a tier policy (DESIGN 12). */
interface MemberTier {
  policyId?: unknown;
  level?: unknown;
  expiresOn?: unknown;
}

/** Of several members' tiers the best under each policy: the highest level number, then the one that lasts longest. */
export function bestTiers<T extends MemberTier>(tiers: readonly T[]): T[] {
  const best = new Map<string, T>();
  for (const tier of tiers) {
    const key = String(tier.policyId);
    const other = best.get(key);
    if (!other || isBetter(tier, other)) best.set(key, tier);
  }
  return [...best.values()];
}

function isBetter(tier: MemberTier, other: MemberTier): boolean {
  const [number, than] = [levelNumber(tier), levelNumber(other)];
  return number > than || (number === than && lastsUntil(tier) > lastsUntil(other));
}

/** The number of a tier's level; below every other when it has none. */
export function levelNumber({ level }: MemberTier): number {
  const number: unknown = typeof level === 'object' && level !== null ? Reflect.get(level, 'number') : undefined;
  return typeof number === 'number' ? number : Number.NEGATIVE_INFINITY;
}

function lastsUntil({ expiresOn }: MemberTier): number {
  return expiresOn instanceof Date ? expiresOn.getTime() : Number.POSITIVE_INFINITY;
}
