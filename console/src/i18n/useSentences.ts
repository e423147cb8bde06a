import { useLocale } from 'react-admin';

/** In which language the service says sentences about rules: that of the console, as a query argument. */
export function useSentences(): { lang?: 'de' } {
  return useLocale() === 'de' ? { lang: 'de' } : {};
}
