import { useCallback } from 'react';
import { useTranslate } from 'react-admin';

interface Helped {
  /** Where the field is in its record, such as `PursePolicy.expiry.unit`. */
  path: string;
  /** What the service says of it, in English. */
  description: string | undefined;
}

/** What a field is for, in the language of the console. */
export function useHelp(): (field: Helped) => string | undefined {
  const translate = useTranslate();
  return useCallback(
    ({ path, description }) =>
      description &&
      (helpKeys(path)
        .map((key) => translate(`helps.${key}`, { _: '' }))
        .find((text) => text !== '') ??
        description),
    [translate],
  );
}

/**
 * The keys of the help of a field, the one that says most of its place first. `expiry.unit` is for all fields whose path
 * ends so.
 */
export function helpKeys(path: string): string[] {
  const names = path.split('.');
  return names.map((_name, index) => names.slice(index).join('.'));
}
