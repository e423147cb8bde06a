import type { ArchiveOpening } from '#records/archives/archiveOpening';

/** The sums of the archived activities of a member and of those merged into it. */
export type MemberOpening = Pick<
  ArchiveOpening,
  'activities' | 'purchases' | 'metrics' | 'countedUpTo' | 'isUncounted' | 'purses'
>;

/** Adds up the openings of a member and of those merged into it. */
export function sumOpenings(openings: readonly MemberOpening[]): MemberOpening {
  const sum: MemberOpening = { activities: 0, purchases: 0, metrics: [] };
  for (const { activities, purchases, metrics, countedUpTo, isUncounted } of openings) {
    sum.activities += activities;
    sum.purchases += purchases;
    sum.metrics.push(...metrics);
    if (isUncounted) sum.isUncounted = true;
    if (countedUpTo && !(sum.countedUpTo && sum.countedUpTo > countedUpTo)) sum.countedUpTo = countedUpTo;
  }
  return sum;
}
