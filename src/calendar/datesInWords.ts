import { DateTime } from 'luxon';

const instants = /"?\b(\d{4}-\d{2}-\d{2}T[\d:.]{5,12}(?:Z|[+-][\d:]{4,5}))"?/g;
const plainDates = /"(\d{4}-\d{2}-\d{2})"/g;

/**
 * A sentence with its dates in words: instants by the clock of a time zone, `1 October 2026, 09:00 (Europe/Berlin)`, and
 * quoted plain dates, `1 October 2026`. What is no date stays as it is.
 * @param timezone IANA name
 */
export function datesInWords(sentence: string, timezone: string): string {
  return sentence
    .replaceAll(instants, (written, instant: string) => {
      const at = DateTime.fromISO(instant, { zone: timezone, locale: 'en-GB' });
      if (!at.isValid) return written;
      return `${at.toFormat(at.second === 0 ? 'd LLLL yyyy, HH:mm' : 'd LLLL yyyy, HH:mm:ss')} (${timezone})`;
    })
    .replaceAll(plainDates, (written, date: string) => {
      const day = DateTime.fromISO(date, { zone: 'UTC', locale: 'en-GB' });
      return day.isValid ? day.toFormat('d LLLL yyyy') : written;
    });
}
