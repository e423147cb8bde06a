import { useCallback } from 'react';
import { useLocale, useTranslate } from 'react-admin';
import type { FormTexts } from './formTexts';

interface Helped {
  /** Where the field is in its record, such as `PursePolicy.expiry.unit`. */
  path: string;
  /** What the service says of it, in English. */
  description: string | undefined;
  texts?: FormTexts | undefined;
}

type Translate = (key: string, options: { _: string }) => string;

/** What a field is for, in the language of the console. */
export function useHelp(): (field: Helped) => string | undefined {
  const translate = useTranslate();
  const locale = useLocale();
  return useCallback((field) => fieldHelp(field, locale, translate), [translate, locale]);
}

/** What the definition of a field says in a language, else the message for its path, else the description. */
export function fieldHelp({ path, description, texts }: Helped, locale: string, translate: Translate) {
  if (!description) return undefined;
  const messages = helpKeys(path).map((key) => translate(`helps.${key}`, { _: '' }));
  return texts?.help?.[locale] ?? messages.find((text) => text !== '') ?? description;
}

/**
 * The keys of the help of a field, the one that says most of its place first. `expiry.unit` is for all fields whose path
 * ends so.
 */
export function helpKeys(path: string): string[] {
  const names = path.split('.');
  return names.map((_name, index) => names.slice(index).join('.'));
}
