/** Units of a length of time in the calendar of a program's time zone. */
export const termUnits = ['minute', 'hour', 'day', 'week', 'month', 'year'] as const;
export type TermUnit = (typeof termUnits)[number];
