import polyglotI18nProvider from 'ra-i18n-polyglot';
import type { TranslationMessages } from 'react-admin';
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

const german = () => import('./german/german').then((module) => module.german);

/** The messages in the language that the user chose, else in that of the browser. German is loaded when it is wanted. */
export const i18nProvider = polyglotI18nProvider(
  (locale) => (locale === 'de' ? (german() as unknown as TranslationMessages) : english),
  'en',
  locales,
  { allowMissing: true, onMissingKey: (key: string) => key },
);
