import { DateTime } from 'luxon';
import type { Language } from '#base/words/language';
import { zoneOfRecord } from './timezones';

const instants = /"?\b(\d{4}-\d{2}-\d{2}T[\d:.]{5,12}(?:Z|[+-][\d:]{4,5}))"?/g;
const plainDates = /"(\d{4}-\d{2}-\d{2})"/g;

const styles = {
  en: { locale: 'en-GB', day: 'd LLLL yyyy' },
  de: { locale: 'de', day: 'd. LLLL yyyy' },
} as const;

/**
 * A sentence with its dates in words: instants by the clock of a time zone, `1 October 2026, 09:00 (Europe/Berlin)`, and
 * quoted plain dates, `1 October 2026`. What is no date stays as it is.
 * @param timezone IANA name
 * @param language of the names of months
 */
export function datesInWords(sentence: string, timezone: string, language: Language = 'en'): string {
  const { locale, day: dayFormat } = styles[language];
  return sentence
    .replaceAll(instants, (written, instant: string) => {
      const at = DateTime.fromISO(instant, { zone: zoneOfRecord(timezone), locale });
      if (!at.isValid) return written;
      return `${at.toFormat(`${dayFormat}, ${at.second === 0 ? 'HH:mm' : 'HH:mm:ss'}`)} (${timezone})`;
    })
    .replaceAll(plainDates, (written, date: string) => {
      const day = DateTime.fromISO(date, { zone: 'UTC', locale });
      return day.isValid ? day.toFormat(dayFormat) : written;
    });
}
