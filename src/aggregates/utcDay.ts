const dayMs = 86_400_000;

/** Midnight UTC of the day a date lies in. */
export function utcDay(date: Date): Date {
  return new Date(Math.floor(date.getTime() / dayMs) * dayMs);
}
