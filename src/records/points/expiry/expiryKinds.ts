import { Type } from '@sinclair/typebox';
import { termUnits } from '#base/calendar/localCalendar';
import { endOfYearlyDay, snappedEnd, snapsOrNone } from '#base/calendar/snaps';
import { monthWords, snapWords, termWords } from '#base/calendar/termWords';
import { message } from '#base/common/messages/message';
import { oneOf } from '#base/schema/atoms';
import { inForms } from '#base/schema/inForms';
import type { Language } from '#base/words/language';
import { termMax } from '../terms';
import { defineExpiryKind } from './expiryKind';

const value = Type.Integer({
  minimum: 0,
  maximum: termMax,
  ...inForms({
    help: {
      en: 'How many units; of calendar: how many years later',
      de: 'So viele Einheiten; beim Kalendertag: so viele Jahre später',
    },
  }),
});
const duration = {
  value,
  unit: oneOf(termUnits),
  snap: oneOf(
    snapsOrNone,
    inForms({ help: { en: 'They last until the end of this period', de: 'Sie gelten bis zum Ende dieses Zeitraums' } }),
  ),
};

/** The most days that each month has; February has 29 in leap years. */
const daysOfMonth = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * Every way in which points expire. A new one is one entry here: checks, dates, sentences and documentation read it.
 */
export const expiryKinds = {
  none: defineExpiryKind({
    label: { en: 'None', de: 'Keine' },
    description: { en: 'never', de: 'nie' },
    fields: {},
    needs: [],
    words: { en: () => 'no expiry', de: () => 'kein Verfall' },
  }),
  rolling: defineExpiryKind({
    label: { en: 'Rolling', de: 'Gleitend' },
    description: { en: 'so long after they join the balance', de: 'so lange nach der Gutschrift' },
    fields: duration,
    needs: ['value', 'unit'],
    // With 0, points would expire at the instant of their award.
    positive: ['value'],
    date: snappedEnd,
    words: {
      en: (terms) => `expiry after ${durationWords(terms, 'en')}`,
      de: (terms) => `Verfall ${durationWords(terms, 'de')}`,
    },
  }),
  calendar: defineExpiryKind({
    label: { en: 'Calendar', de: 'Kalendertag' },
    description: { en: 'when a day of the year ends', de: 'am Ende eines Tages im Jahr' },
    fields: {
      value,
      month: Type.Integer({
        minimum: 1,
        maximum: 12,
        ...inForms({ help: { en: 'Of calendar: month of the day', de: 'Beim Kalendertag: der Monat' } }),
      }),
      day: Type.Integer({
        minimum: 1,
        maximum: 31,
        ...inForms({ help: { en: 'Of calendar: the day', de: 'Beim Kalendertag: der Tag' } }),
      }),
    },
    needs: ['month', 'day'],
    faults: ({ month, day }) =>
      day <= (daysOfMonth[month - 1] ?? 0)
        ? []
        : [{ path: 'day', kind: 'date', ...message('points.noSuchDay', { month, day }) }],
    date: (from, { month, day, value: yearsLater = 0 }, timezone) =>
      endOfYearlyDay(from, { month, day, yearsLater }, timezone),
    words: {
      en: ({ month, day, value: years }) =>
        `expiry at the end of ${day} ${monthWords(month, 'en')}${years ? `, ${termWords(years, 'year', 'en')} later` : ''}`,
      de: ({ month, day, value: years }) =>
        `Verfall am Ende des ${day}. ${monthWords(month, 'de')}${years ? `, ${termWords(years, 'year', 'de')} später` : ''}`,
    },
  }),
  inactivity: defineExpiryKind({
    label: { en: 'Inactivity', de: 'Untätigkeit' },
    description: { en: 'so long after the last activity', de: 'so lange nach der letzten Aktivität' },
    fields: duration,
    needs: ['value', 'unit'],
    positive: ['value'],
    isByInactivity: true,
    words: {
      en: (terms) => `expiry after inactivity of ${durationWords(terms, 'en')}`,
      de: (terms) => `Verfall nach Untätigkeit: ${durationWords(terms, 'de')}`,
    },
  }),
};

/** `1 year, until the end of the month`. */
function durationWords(terms: { value: number; unit: string; snap?: string }, language: Language): string {
  const end = snapWords(terms.snap, language);
  return `${termWords(terms.value, terms.unit, language)}${end === undefined ? '' : `, ${end}`}`;
}
