/** Milliseconds of a minute. */
export const minuteMs = 60_000;

/** Milliseconds of an hour. */
export const hourMs = 60 * minuteMs;

/** Milliseconds of 24 hours. A day of a time zone may be longer or shorter (base/calendar). */
export const dayMs = 24 * hourMs;
