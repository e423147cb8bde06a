import { readConfigureGlobal } from 'fast-check';

/** The factor for the length of random runs. jest.config.cjs says its default; longer runs set, say, TEST_SCALE=10. */
export const testScale = Number(process.env.TEST_SCALE ?? 1);

/** A long run takes all of each table, and .ci/nightly is one. */
export const isLong = testScale > 1;

/** The factor for time limits. */
export const longer = Math.max(1, testScale);

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

/** One of several, by the seed of this run; all of them in a long run. */
export function drawn<T>(each: readonly T[]): T[] {
  return share(each, each.length);
}

/**
 * Every tenth, say, of the rows of a table, from where the seed of this run says; all of them in a long run. Several who
 * share the rows, each with a place of its own, begin at different rows.
 */
export function share<T>(rows: readonly T[], every: number, place = 0): T[] {
  return isLong ? [...rows] : rows.filter((_row, index) => (index + place) % every === runSeed() % every);
}

/** One row of each kind and every tenth of all, as the seed of this run says; all of them in a long run. */
export function ofEachKind<T>(rows: readonly T[], kindOf: (row: T) => string): T[] {
  const kinds = new Map<string, T[]>();
  for (const row of rows) kinds.set(kindOf(row), [...(kinds.get(kindOf(row)) ?? []), row]);
  const chosen = new Set([...share(rows, 10), ...[...kinds.values()].flatMap(drawn)]);
  return rows.filter((row) => chosen.has(row));
}

/**
 * The seeds of a random test: a fixed one, and the one of this run. The test names the seed in its title. With that seed
 * as TEST_SEED, only it runs.
 */
export function seedsOf(fixed: number): number[] {
  const { TEST_SEED } = process.env;
  return TEST_SEED ? [Number(TEST_SEED)] : [fixed, runSeed()];
}
