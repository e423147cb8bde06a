import { inLanguage } from '#base/words/language';
import { findActionDefinition } from '../actions/list';
import { germanValue } from '../words/german/germanValue';

/** An action in German: `10 Punkte in die Börse "Points" geben`. For an unknown action, its name and params. */
export function germanAction({ type, ...params }: { type: string }): string {
  const words = findActionDefinition(type)?.words;
  return words ? inLanguage(words, 'de')(params) : `${type} ${germanValue(params)}`;
}
