/** A text by language, as the service says it. */
export type ByLocale = Readonly<Record<string, string>>;

/** What the definition of a field says for forms. */
export interface FormTexts {
  label?: ByLocale;
  /** In other languages than English; the English help is the description. */
  help?: ByLocale;
  /** What the values that the field lists are called. */
  choices?: Readonly<Record<string, ByLocale>>;
}
