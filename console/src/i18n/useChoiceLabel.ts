import { useCallback } from 'react';
import { useLocale, useTranslate } from 'react-admin';
import type { FormTexts } from './formTexts';
import { inWords } from './useFieldLabel';

/**
 * The words of a value that a field lists, such as `endOfDay`: as the definition of the field says it, else the message
 * `choices.<value>`, else the value in words. Names with other characters than letters, such as those of events and roles,
 * stay as the API has them.
 */
export function useChoiceLabel(): (value: string, texts?: FormTexts) => string {
  const translate = useTranslate();
  const locale = useLocale();
  return useCallback(
    (value, texts) => {
      const own = texts?.choices?.[value] ?? {};
      const word = own[locale];
      if (word !== undefined || !/^[a-z]+$/i.test(value)) return word ?? value;
      return translate(`choices.${value}`, { _: own.en ?? inWords(value) });
    },
    [translate, locale],
  );
}
