import { malformed } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { oneOf } from '#base/schema/atoms';
import { type Language, languages } from '#base/words/language';
import type { QueryArgument } from './route';

/** The query argument `lang` of routes whose answers have sentences about rules. */
export const languageArgument: Readonly<Record<'lang', QueryArgument>> = {
  lang: { description: 'Language of the sentences about rules; default en', schema: oneOf(languages) },
};

/**
 * The language of the argument of a request; English by default.
 * @throws ServiceError 1210 for a language that the service does not have
 */
export function readLanguage({ lang = 'en' }: Readonly<Record<string, string>>): Language {
  const known = languages.find((each) => each === lang);
  if (!known) throw malformed(message('http.langValues', { languages: languages.join(', ') }));
  return known;
}
