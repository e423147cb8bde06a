import type { Index } from '#base/schema/resource';

/**
 * Indexes of records that name the offer or reward that gave their points: for reads, and for the check that nothing
 * refers to a deleted offer. Few records name one.
 */
export const couponIndexes: readonly Index[] = ['offer', 'reward'].map((name) => ({
  keys: { org: 1, [name]: 1 },
  where: { [name]: { $exists: true } },
}));
