/**
 * The factor for the length of random runs and full tables. It is 1 by default; longer runs set, say, TEST_SCALE=10.
 */
export const testScale = Number(process.env.TEST_SCALE ?? 1);
