import { useCallback } from 'react';
import { useLocale, useTranslate } from 'react-admin';
import type { FormTexts } from './formTexts';

/** A field with what its definition says for forms. */
export interface Labelled {
  name: string;
  texts?: FormTexts | undefined;
}

type Translate = (key: string, options: { _: string }) => string;

/** The label of a field in the language of the console; of a field of which only the name is known too. */
export function useFieldLabel(): (field: string | Labelled) => string {
  const translate = useTranslate();
  const locale = useLocale();
  return useCallback(
    (field) => fieldLabel(typeof field === 'string' ? { name: field } : field, locale, translate),
    [translate, locale],
  );
}

/**
 * The label that the definition has in a language, else by the name of the field the message `fields.<name>`, else the
 * English label of the definition, else the name in words.
 */
export function fieldLabel(
  { name, texts: { label = {} } = {} }: Labelled,
  locale: string,
  translate: Translate,
): string {
  return label[locale] ?? translate(`fields.${name}`, { _: label.en ?? inWords(name) });
}

/** The name of a field in words: `overdraftLimit` is `Overdraft limit`. */
export function inWords(name: string): string {
  const words = name.replace(
    /([a-z\d])([A-Z])/g,
    (_both, end: string, begin: string) => `${end} ${begin.toLowerCase()}`,
  );
  return words.charAt(0).toUpperCase() + words.slice(1);
}
