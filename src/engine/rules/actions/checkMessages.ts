import { type Message as Fault, message } from '#base/common/messages/message';
import { isFactRef } from '../language/factRef';
import { type Message, type MessageValues, messageTexts, namesIn } from '../language/message';
import { didYouMean } from '../source/nearest';
import type { JsonPath } from '../source/ruleSource';
import type { ActionCheck } from './action';

/** A message in an action, and its path there. */
interface PlacedMessage {
  at: JsonPath;
  message: Message;
}

/** Checks the names in messages, the values that replace them, and the tags of languages. */
export function checkMessages(
  messages: readonly PlacedMessage[],
  values: MessageValues | undefined,
  check: ActionCheck,
): void {
  const known = Object.keys(values ?? {});
  const used = new Set<string>();
  for (const { at, message: placed } of messages) {
    for (const { language, text } of messageTexts(placed)) {
      const place = language === undefined ? at : [...at, language];
      const fault = language === undefined ? undefined : languageFault(language);
      if (fault !== undefined) check.keyError(place, fault);
      for (const name of namesIn(text)) {
        used.add(name);
        if (!known.includes(name)) check.error(place, didYouMean(message('rules.withoutValue', { name }), name, known));
      }
    }
  }
  for (const [name, value] of Object.entries(values ?? {})) {
    if (!used.has(name)) check.keyError(['with', name], didYouMean(message('rules.notInText', { name }), name, used));
    if (isFactRef(value as never)) check.fact(['with', name], value as Parameters<ActionCheck['fact']>[1]);
    else check.amount(['with', name], value as Parameters<ActionCheck['amount']>[1]);
  }
}

const languages = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });

function languageFault(tag: string): Fault | undefined {
  if (languageName(tag) !== undefined) return undefined;
  const wanted = tag.toLowerCase();
  const meant = twoLetters().find((code) => languageName(code)?.toLowerCase() === wanted) ?? meantBy(wanted);
  const fault = message('rules.noLanguageTag', { tag });
  return meant === undefined ? fault : message('words.didYouMean', { fault, name: meant });
}

/** A tag with an underscore, or with a region that does not exist. */
function meantBy(tag: string): string | undefined {
  const [language = '', region = ''] = tag.split(/[-_]/);
  const whole = `${language}-${region.toUpperCase()}`;
  return [whole, language].find((each) => languageName(each) !== undefined);
}

/** The English name of a language; undefined when there is none. */
function languageName(tag: string): string | undefined {
  try {
    return languages.of(tag);
  } catch {
    return undefined;
  }
}

function twoLetters(): string[] {
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  return letters.flatMap((first) => letters.map((second) => first + second));
}
