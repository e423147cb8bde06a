import { expiryWords } from '#engine/rules/words/expiryWords';
import { expiryKinds } from '#records/points/expiry/expiryKinds';

test.each([
  [{ type: 'none' }, 'no expiry', 'kein Verfall'],
  [{ type: 'rolling', value: 1, unit: 'year' }, 'expiry after 1 year', 'Verfall 1 Jahr'],
  [{ type: 'rolling', value: 30, unit: 'day', snap: 'none' }, 'expiry after 30 days', 'Verfall 30 Tage'],
  [
    { type: 'rolling', value: 3, unit: 'month', snap: 'endOfQuarter' },
    'expiry after 3 months, until the end of the quarter',
    'Verfall 3 Monate, bis zum Ende des Quartals',
  ],
  [{ type: 'calendar', month: 3, day: 31 }, 'expiry at the end of 31 March', 'Verfall am Ende des 31. März'],
  [
    { type: 'calendar', month: 12, day: 31, value: 2 },
    'expiry at the end of 31 December, 2 years later',
    'Verfall am Ende des 31. Dezember, 2 Jahre später',
  ],
  [
    { type: 'inactivity', value: 6, unit: 'month' },
    'expiry after inactivity of 6 months',
    'Verfall nach Untätigkeit: 6 Monate',
  ],
])('%j has words in English and in German', (terms, english, german) => {
  expect([expiryWords(terms, 'en'), expiryWords(terms, 'de')]).toEqual([english, german]);
});

test('every kind of expiry has German words', () => {
  expect(Object.entries(expiryKinds).filter(([, { words }]) => !('de' in words))).toEqual([]);
});

test('terms of an unknown kind, or without a required field, have no words', () => {
  const unreadable = [undefined, 'never', { type: 'moon' }, { type: 'constructor' }, { type: 'rolling', value: 1 }];
  expect(unreadable.map((terms) => expiryWords(terms, 'en'))).toEqual(unreadable.map(() => undefined));
});
