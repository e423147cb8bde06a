import type { ByLanguage } from '#base/words/language';

/** What forms say of a field, by language; English stands in for a language without its own. */
interface FormTexts {
  /** What the field is called. Default: its name in words. */
  label?: ByLanguage<string>;
  /** What it is for. The English text is also its description in the documentation. */
  help?: ByLanguage<string>;
  /** What the values that it lists are called. Default: themselves in words. */
  choices?: Readonly<Record<string, ByLanguage<string>>>;
}

/** The options of a field with what forms say of it: `text(40, inForms({ label: { en: 'Nickname', de: 'Spitzname' } }))`. */
export function inForms({ help, ...texts }: FormTexts): Record<string, unknown> {
  if (!help) return { 'x-form': texts };
  const { en: description, ...others } = help;
  return { description, 'x-form': { ...texts, ...(Object.keys(others).length > 0 ? { help: others } : {}) } };
}
