import { createHash } from 'node:crypto';

/**
 * `fullAt`: with more activities in progress than this, the groups of an owner are so large that those of two are as
 * cheap. `emptyAt`: with fewer than this for each of half the owners, half of them are enough.
 */
export const spreadLimits = { fullAt: 128, emptyAt: 64 } as const;

/**
 * Ranks processes for an org, by the highest hash of both names. Every process computes the same ranking. When one
 * joins or leaves, the others keep their order, so few orgs change their owner.
 */
export function rankedFor(org: string, processes: readonly string[]): string[] {
  const hashes = new Map(processes.map((name) => [name, createHash('sha256').update(`${org} ${name}`).digest('hex')]));
  return [...processes].sort((a, b) => ((hashes.get(a) ?? '') > (hashes.get(b) ?? '') ? -1 : 1));
}

/** The process that processes a member's activities: one of the first `spread` in the ranking of the org. */
export function ownerOf(ranked: readonly string[], spread: number, member: string): string | undefined {
  if (spread <= 1) return ranked[0];
  const hash = createHash('sha256').update(member).digest().readUInt32BE(4);
  return ranked[hash % Math.min(spread, ranked.length)];
}

/**
 * How many owners an org has next: twice as many when their groups are full, half as many when a half could take all.
 * @param pending the activities of the org that all processes have in progress
 */
export function nextSpread(spread: number, pending: number, processes: number): number {
  if (pending > spread * spreadLimits.fullAt) return Math.min(spread * 2, processes);
  const half = Math.ceil(spread / 2);
  return pending < half * spreadLimits.emptyAt ? half : Math.min(spread, processes);
}
