import { useCallback } from 'react';
import { useTranslate } from 'react-admin';

/** What a field is for, in the language of the console: a translation of what the service says in English. */
export function useHelp(): <T extends string | undefined>(english: T) => T {
  const translate = useTranslate();
  return useCallback(
    <T extends string | undefined>(english: T) =>
      (english ? translate(`helps.${english}`, { _: english }) : english) as T,
    [translate],
  );
}
