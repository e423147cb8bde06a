import { useCallback } from 'react';
import { useTranslate } from 'react-admin';

/** The label of a field by its name: the message `fields.<name>`, else the name in words. */
export function useFieldLabel(): (name: string) => string {
  const translate = useTranslate();
  return useCallback((name) => translate(`fields.${name}`, { _: inWords(name) }), [translate]);
}

/** The name of a field in words: `overdraftLimit` is `Overdraft limit`. */
export function inWords(name: string): string {
  const words = name.replace(
    /([a-z\d])([A-Z])/g,
    (_both, end: string, begin: string) => `${end} ${begin.toLowerCase()}`,
  );
  return words.charAt(0).toUpperCase() + words.slice(1);
}
