import { useCallback } from 'react';
import { useTranslate } from 'react-admin';
import { inWords } from './useFieldLabel';

/**
 * The words of a value that a field lists, such as `endOfDay`: the message `choices.<value>`, else the value in words. Names
 * with other characters than letters, such as those of events and roles, stay as the API has them.
 */
export function useChoiceLabel(): (value: string) => string {
  const translate = useTranslate();
  return useCallback(
    (value) => (/^[a-z]+$/i.test(value) ? translate(`choices.${value}`, { _: inWords(value) }) : value),
    [translate],
  );
}
