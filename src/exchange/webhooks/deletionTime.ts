import { dayMs } from '#base/common/durations';
/** When a finished record is deleted; undefined: never. @param days 0: forever */
export function deletionTime(now: Date, days: number): Date | undefined {
  return days === 0 ? undefined : new Date(now.getTime() + days * dayMs);
}
