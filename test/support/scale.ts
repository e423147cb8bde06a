/** How long random runs and full tables are: 1 is what every run does; nightly runs take more, for example TEST_SCALE=10. */
export const testScale = Number(process.env.TEST_SCALE ?? 1);
