import type { Index } from '#base/schema/resource';

/**
 * Indexes of records that name the offer or reward whose points they are: reads by it, and the check that nothing
 * refers to an offer that is deleted. Few records name one.
 */
export const couponIndexes: readonly Index[] = ['offer', 'reward'].map((name) => ({
  keys: { org: 1, [name]: 1 },
  where: { [name]: { $exists: true } },
}));
