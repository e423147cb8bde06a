import { memberPartition } from '#records/activities/inboxPartition';

/** Whose purchases a load has: how many members, and how often each buys. */
export const crowds = ['100,000 members', '10,000 members by Zipf', '1,000 members', '5 hot members'] as const;

export type CrowdName = (typeof crowds)[number];

/** Draws the member of the next purchase. */
export type Crowd = () => string;

const sizes: Readonly<Record<CrowdName, number>> = {
  '100,000 members': 100_000,
  '10,000 members by Zipf': 10_000,
  '1,000 members': 1000,
  '5 hot members': 5,
};

/** Makes the crowd of this name from the ids of members. */
export function crowdOf(name: CrowdName, loyaltyIDs: readonly string[]): Crowd {
  const size = sizes[name];
  const draw = name === '10,000 members by Zipf' ? zipf(size) : () => Math.floor(Math.random() * size);
  return () => loyaltyIDs[draw()] ?? '';
}

/** Draws a rank below `size`: rank n is drawn in proportion to 1 / (n + 1). */
function zipf(size: number): () => number {
  const sums: number[] = [];
  let sum = 0;
  for (let rank = 1; rank <= size; rank += 1) {
    sum += 1 / rank;
    sums.push(sum);
  }
  return () => {
    const wanted = Math.random() * sum;
    let [low, high] = [0, size - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] ?? 0) < wanted) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}

/** Draws from a crowd until the member belongs to this one of several parts of equal size. */
export function splitCrowd(crowd: Crowd, part: number, parts: number): Crowd {
  return () => {
    for (;;) {
      const loyaltyID = crowd();
      if (memberPartition(loyaltyID) % parts === part) return loyaltyID;
    }
  };
}
