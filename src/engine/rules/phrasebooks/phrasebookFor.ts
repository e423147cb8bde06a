import type { Language } from '#base/words/language';
import { english } from '../explain/english';
import type { Phrasebook } from '../explain/phrasebook';
import { german } from '../german/german';

const phrasebooks: Readonly<Record<Language, Phrasebook>> = { en: english, de: german };

/** The phrasebook of a language; English by default. */
export function phrasebookFor(language: Language = 'en'): Phrasebook {
  return phrasebooks[language];
}
