import { type Message, message } from '#base/common/messages/message';

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

/** The purse of a metric of points, such as `Points` for `pointsEarned:Points`; undefined for any other metric. */
export function purseOfMetric(metric: string): string | undefined {
  return /^points\w+:(.+)$/s.exec(metric)?.[1];
}

/**
 * The reason why a metric can never count; undefined when it can. Such a name is almost that of a metric which the
 * service counts, or looks like one of a purse. Any other name may be counted by a rule, now or later.
 */
export function metricFault(metric: string): Message | undefined {
  const [base = ''] = metric.split(':', 1);
  const builtIn = builtInMetricNames.find((name) => name.toLowerCase() === base.trim().toLowerCase());
  const isOfPurse = metric !== base;
  if (builtIn === base && (!isOfPurse || purseOfMetric(metric) !== undefined)) return undefined;
  if (builtIn === undefined && !(isOfPurse && /^points/i.test(base))) return undefined;
  return message('metrics.unknown', { known: builtInMetricNames.join(', ') });
}
