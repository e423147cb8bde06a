import { readConfigureGlobal } from 'fast-check';

/**
 * The factor for the length of random runs and full tables. It is 1 by default; longer runs set, say, TEST_SCALE=10.
 */
export const testScale = Number(process.env.TEST_SCALE ?? 1);

/**
 * So many runs at scale 1, at least one. A quarter of them with another seed than that of this run: the cases of a fixed
 * seed are the same in each run.
 */
export function scaled(runs: number, seed?: number): number {
  const isFixed = seed !== undefined && seed !== runSeed() && process.env.TEST_SEED === undefined;
  return Math.ceil(runs * testScale * (isFixed ? 0.25 : 1));
}

/** The seed of this run, which Jest prints: another one for each run, or what `--seed` names. 0 to 2^31 - 1. */
export function runSeed(): number {
  return (readConfigureGlobal().seed ?? Math.floor(Math.random() * 2 ** 31)) & 0x7fff_ffff;
}

/** One of several, by the seed of this run. */
export function drawn<T>(each: readonly T[]): T[] {
  const at = runSeed() % each.length;
  return each.slice(at, at + 1);
}

/**
 * The seeds of a random test: a fixed one, and the one of this run. The test names the seed in its title. With that seed
 * as TEST_SEED, only it runs.
 */
export function seedsOf(fixed: number): number[] {
  const { TEST_SEED } = process.env;
  return TEST_SEED ? [Number(TEST_SEED)] : [fixed, runSeed()];
}
