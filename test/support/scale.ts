/**
 * The factor for the length of random runs and full tables. It is 1 by default; longer runs set, say, TEST_SCALE=10.
 */
export const testScale = Number(process.env.TEST_SCALE ?? 1);

/** So many runs at scale 1, at least one. */
export function scaled(runs: number): number {
  return Math.ceil(runs * testScale);
}

/**
 * The seeds of a random test: a fixed one, and one that is new in each run. The test names the seed in its title. With
 * that seed as TEST_SEED, only it runs.
 */
export function seedsOf(fixed: number): number[] {
  const { TEST_SEED } = process.env;
  return TEST_SEED ? [Number(TEST_SEED)] : [fixed, Math.floor(Math.random() * 2 ** 31)];
}
