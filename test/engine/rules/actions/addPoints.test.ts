import { inLanguage } from '#base/words/language';
import { addPoints } from '#engine/rules/actions/addPoints';

const wordsOf = (language: 'en' | 'de', terms: object) =>
  inLanguage(addPoints.words, language)({ purse: 'Points', points: 5, ...terms } as never);

/** Another version of the service may have written terms, so any of their fields may be missing or unknown. */
it.each<[string, object, string, string]>([
  ['no time', { escrow: { type: 'none' } }, 'escrow none', 'Sperrfrist keine'],
  ['a time', { escrow: { type: 'duration', value: 3, unit: 'day' } }, 'escrow 3 days', 'Sperrfrist 3 Tage'],
  [
    'a time with a part more',
    { escrow: { type: 'duration', value: 3, unit: 'day', snap: 'endOfDay' } },
    'escrow {"type":"duration","value":3,"unit":"day","snap":"endOfDay"}',
    'Sperrfrist {"type":"duration","value":3,"unit":"day","snap":"endOfDay"}',
  ],
  [
    'a time without a unit',
    { escrow: { type: 'duration', value: 3 } },
    'escrow {"type":"duration","value":3}',
    'Sperrfrist {"type":"duration","value":3}',
  ],
  [
    'a time without a value',
    { escrow: { type: 'duration', unit: 'day' } },
    'escrow {"type":"duration","unit":"day"}',
    'Sperrfrist {"type":"duration","unit":"day"}',
  ],
  ['an unknown expiry', { expiry: { type: 'moon' } }, 'expiry {"type":"moon"}', 'Verfall {"type":"moon"}'],
])('the words of an award have %s', (_case, terms, english, german) => {
  expect(wordsOf('en', terms)).toBe(`add 5 points to the purse "Points" (${english})`);
  expect(wordsOf('de', terms)).toBe(`5 Punkte in die Börse "Points" geben (${german})`);
});
