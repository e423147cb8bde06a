import polyglotI18nProvider from 'ra-i18n-polyglot';
import type { I18nProvider, TranslationMessages } from 'react-admin';
import { english } from './english/english';
import { type Catalog, type ServiceMessage, translated } from './serviceMessage';

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

let germanCatalog: Catalog = {};

async function german(): Promise<TranslationMessages> {
  const [texts, catalog] = await Promise.all([import('./german/german'), import('./german/messages/messages')]);
  germanCatalog = catalog.messages;
  return texts.german as unknown as TranslationMessages;
}

/** The messages in the language that the user chose, else in that of the browser. German is loaded on demand. */
export const i18nProvider: I18nProvider = polyglotI18nProvider(
  (locale) => (locale === 'de' ? (german() as unknown as TranslationMessages) : english),
  'en',
  locales,
  { allowMissing: true, onMissingKey: (key: string) => key },
);

/** A message of the service, such as a fault, in the language of the console. */
export function messageText(message: ServiceMessage): string {
  return i18nProvider.getLocale() === 'de' ? translated(message, germanCatalog) : message.message;
}
