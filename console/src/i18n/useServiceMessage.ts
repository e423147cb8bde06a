import { useCallback } from 'react';
import { useLocale } from 'react-admin';
import { messageText } from './i18nProvider';
import type { ServiceMessage } from './serviceMessage';

/** A message of the service, such as a fault, in the language of the console. */
export function useServiceMessage(): (message: ServiceMessage) => string {
  const locale = useLocale();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text is another one in another language
  return useCallback((message) => messageText(message), [locale]);
}
