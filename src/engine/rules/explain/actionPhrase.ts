import { findActionDefinition } from '../actions/list';
import { amountText } from '../words/amountText';
import { splitCamelCase } from '../words/factPhrase';

/** An action in words: `add 10 points to the purse "Points"`. For an unknown action, its name and params. */
export function actionPhrase({ type, ...params }: { type: string }): string {
  return findActionDefinition(type)?.words.en(params) ?? `${splitCamelCase(type)}${paramsText(params)}`;
}

function paramsText(params: Readonly<Record<string, unknown>>): string {
  const phrases = Object.entries(params).map(([name, value]) => `${splitCamelCase(name)} ${amountText(value)}`);
  return phrases.length === 0 ? '' : `: ${phrases.join(', ')}`;
}
