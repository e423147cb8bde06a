import type { Language } from '#base/words/language';
import { english } from '../explain/english';
import type { Voice } from '../explain/voice';
import { german } from '../german/german';

const voices: Readonly<Record<Language, Voice>> = { en: english, de: german };

/** How rules are put into sentences in a language; English when none is asked for. */
export function voiceOf(language: Language = 'en'): Voice {
  return voices[language];
}
