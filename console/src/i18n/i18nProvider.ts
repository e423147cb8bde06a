import polyglotI18nProvider from 'ra-i18n-polyglot';
import type { I18nProvider, TranslationMessages } from 'react-admin';
import { english } from './english/english';

/** The languages of the console. */
const locales = [
  { locale: 'en', name: 'English' },
  { locale: 'de', name: 'Deutsch' },
];

/** The language that the browser prefers, when the console has it; else English. */
export function preferredLocale(): string {
  const known = navigator.languages.map((each) => each.slice(0, 2)).find((each) => each === 'de' || each === 'en');
  return known ?? 'en';
}

let sayInGerman = (text: string) => text;

async function german(): Promise<TranslationMessages> {
  const module = await import('./german/german');
  sayInGerman = module.say;
  return module.german as unknown as TranslationMessages;
}

const messages = polyglotI18nProvider(
  (locale) => (locale === 'de' ? (german() as unknown as TranslationMessages) : english),
  'en',
  locales,
  { allowMissing: true, onMissingKey: (key: string) => key },
);

const said = 'said.';

/**
 * The messages in the language that the user chose, else in that of the browser. German is loaded when it is wanted.
 * The message `said.<text>` is a text of the service, such as a fault, in this language; one without a translation stays
 * English. So is a sentence that is no message: react-admin shows faults of the service itself. A single word may be a name.
 */
export const i18nProvider: I18nProvider = {
  ...messages,
  translate(key, options) {
    const isSaid = key.startsWith(said);
    const text = isSaid ? key.slice(said.length) : messages.translate(key, options);
    const isSentence = text === key && text.includes(' ');
    return (isSaid || isSentence) && messages.getLocale() === 'de' ? sayInGerman(text) : text;
  },
};
