import type { Activity } from './activity';

/** What a purchase counts by itself: `spend` and `visits`; other types of activities count nothing. */
export function builtInMetrics({ type, value }: Pick<Activity, 'type' | 'value'>): { metric: string; value: number }[] {
  if (type !== 'Accrual') return [];
  return [
    { metric: 'spend', value },
    { metric: 'visits', value: 1 },
  ];
}
