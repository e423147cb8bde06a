import { DateTime } from 'luxon';
import { invalidField } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import type { Mapping } from '#records/imports/mappingShape';

/** The parts that a date format may have. */
const known: ReadonlySet<string> = new Set(['yyyy', 'M', 'MM', 'd', 'dd', 'H', 'HH', 'm', 'mm', 's', 'ss', 'SSS']);

/**
 * Refuses a date format that does not say year, month and day.
 * @throws ServiceError 1200
 */
export function requireDateFormat({ dateFormat }: Mapping): void {
  if (dateFormat === undefined) return;
  const found = dateFormat.match(/[a-z]+/gi) ?? [];
  const isKnown = /^[a-z ./:,-]+$/i.test(dateFormat) && found.every((part) => known.has(part));
  const isWhole =
    isKnown && ['y', 'M', 'd'].every((sign) => found.filter((part) => part.startsWith(sign)).length === 1);
  if (isWhole) return;
  throw invalidField('dateFormat', 'format', message('imports.dateFormat'));
}

/**
 * Reads a date in the format of a mapping.
 * @returns the date as bodies of posts have it: without an offset when the mapping has no time zone
 */
export function dateIn(text: string, { dateFormat, timezone }: Mapping): string | undefined {
  if (dateFormat === undefined) return undefined;
  // Formats have a blank where ISO 8601 has a T.
  const spaced = text.replace(/(?<=\d)T(?=\d)/, ' ');
  const date = DateTime.fromFormat(spaced, dateFormat, { zone: timezone ?? 'utc', locale: 'en' });
  if (!date.isValid) return undefined;
  return timezone === undefined ? date.toFormat("yyyy-MM-dd'T'HH:mm:ss.SSS") : (date.toUTC().toISO() ?? undefined);
}

/** Reads a day in the format of a mapping, as YYYY-MM-DD. */
export function dayIn(text: string, { dateFormat }: Mapping): string | undefined {
  if (dateFormat === undefined) return undefined;
  const date = DateTime.fromFormat(text, dateFormat, { zone: 'utc', locale: 'en' });
  return date.isValid ? date.toFormat('yyyy-MM-dd') : undefined;
}
