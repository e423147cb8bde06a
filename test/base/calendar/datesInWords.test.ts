import { datesInWords } from '#base/calendar/datesInWords';

test.each([
  ['it was 2026-10-01T07:00:00.000Z.', 'it was 1 October 2026, 09:00 (Europe/Berlin).'],
  ['is later than "2026-12-31T23:30:00Z": x', 'is later than 1 January 2027, 00:30 (Europe/Berlin): x'],
  ['at "2026-03-29T00:59:59+00:00"', 'at 29 March 2026, 01:59:59 (Europe/Berlin)'],
  ['the member\'s birth date is "1990-02-28"', "the member's birth date is 28 February 1990"],
  ['the order "A-2026-10-01" and 2026-10-01 stay', 'the order "A-2026-10-01" and 2026-10-01 stay'],
  ['"2026-13-40" is no date', '"2026-13-40" is no date'],
])('dates are shown in words: %s', (sentence, actual) => expect(datesInWords(sentence, 'Europe/Berlin')).toBe(actual));
