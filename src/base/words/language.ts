/** The languages in which sentences about rules can be said. */
export const languages = ['en', 'de'] as const;

export type Language = (typeof languages)[number];

/** Something in each language; English stands in for a language without its own. */
export type ByLanguage<T> = Partial<Record<Language, T>> & { en: T };

/** What stands for a language. */
export function inLanguage<T>(all: ByLanguage<T>, language: Language): T {
  return all[language] ?? all.en;
}
