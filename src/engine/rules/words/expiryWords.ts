import { inLanguage, type Language } from '#base/words/language';
import { knownExpiryKind } from '#records/points/expiry/expiryTerms';

/** When points expire, in words: `expiry after 1 year`. Undefined for terms that this version cannot read. */
export function expiryWords(terms: unknown, language: Language): string | undefined {
  const { type, ...values }: Readonly<Record<string, unknown>> = { ...Object(terms) };
  const kind = knownExpiryKind(type);
  if (!kind || kind.needs.some((field) => values[field] === undefined)) return undefined;
  return inLanguage(kind.words, language)(values);
}
