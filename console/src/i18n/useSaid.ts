import { useCallback } from 'react';
import { useTranslate } from 'react-admin';

/** A text of the service that it says in English only, such as a fault, in the language of the console. */
export function useSaid(): (text: string) => string {
  const translate = useTranslate();
  return useCallback((text) => translate(`said.${text}`), [translate]);
}
