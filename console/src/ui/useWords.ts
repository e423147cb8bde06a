import { useTranslate } from 'react-admin';

type Kind = 'type' | 'status' | 'channel' | 'journal' | 'state' | 'reward';

/** Says a value of the service in words, such as the kind of a journal entry; one that has no words, as it is. */
export function useWords(): (kind: Kind, value: string) => string {
  const translate = useTranslate();
  return (kind, value) => translate(`words.${kind}.${value}`, { _: value });
}
