/** Metrics that the service counts itself. */
export const builtInMetricNames = ['pointsEarned', 'pointsRedeemed', 'pointsExpired', 'spend', 'visits'] as const;

/**
 * The built-in metrics of a program with these purses. Metrics of points also exist per purse: `pointsEarned:<purse>`.
 */
export function countedMetrics(purses: readonly string[]): string[] {
  const ofPurses = builtInMetricNames
    .filter((name) => name.startsWith('points'))
    .flatMap((name) => purses.map((purse) => `${name}:${purse}`));
  return [...builtInMetricNames, ...ofPurses];
}
