import { useLocale } from 'react-admin';

/** The language of sentences about rules: the language of the console, as a query argument. */
export function useSentences(): { lang?: 'de' } {
  return useLocale() === 'de' ? { lang: 'de' } : {};
}
