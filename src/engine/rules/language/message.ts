import { type Static, Type } from '@sinclair/typebox';
import Big from 'big.js';
import { byName, text } from '#base/schema/atoms';
import { ifThenElse } from '#base/schema/ifThenElse';
import { type Amount, amountForms, amountReads, computeAmount } from './amount';
import { type FactRef, factRef, isFactRef, type ReadRef } from './factRef';

/** A text of a rule, or one for each language with the default first. `{{name}}` stands for a value. */
export type Message = string | Readonly<Record<string, string>>;

const languagesMax = 50;

const oneText = text(500);

/** The schema of a {@link Message}. `description` says what the text is for. */
export function messageShape(description: string) {
  return Type.Unsafe<Message>({
    description: `${description}; {{name}} is a value of \`with\`. Or one text for each language, the default first`,
    'x-kind': 'text, or texts by language',
    ...ifThenElse({ type: 'object' }, byName(oneText, 35, { minProperties: 1, maxProperties: languagesMax }), oneText),
  });
}

/** A value in a text: a fact as it is, or an amount. */
type MessageValue = FactRef | Exclude<Amount, number>;

const value = Type.Unsafe<MessageValue>(
  ifThenElse(
    { type: 'object', properties: { fact: {} }, required: ['fact'] },
    factRef,
    ifThenElse(
      { type: 'object', properties: { every: {} }, required: ['every'] },
      amountForms.steps,
      amountForms.multiple,
    ),
  ),
);

/** The schema of the values in texts, by name. */
export const messageValues = byName(value, 50, {
  minProperties: 1,
  maxProperties: 20,
  description: 'Values by name: a fact as it is, or an amount',
});

export type MessageValues = Static<typeof messageValues>;

const locale: FactRef = { fact: 'member', path: '$.locale' };

const placeholder = /\{\{([^{}]*)\}\}/g;

/** The names in a text, each as often as it occurs. */
export function namesIn(text: string): string[] {
  return [...text.matchAll(placeholder)].map(([, name = '']) => name.trim());
}

/** Every language of a message with its text; a plain text has no language. */
export function messageTexts(message: Message): { language?: string; text: string }[] {
  if (typeof message === 'string') return [{ text: message }];
  return Object.entries(message).map(([language, each]) => ({ language, text: each }));
}

/** The facts that messages read: those of their values, and the member's locale when there are several languages. */
export function messageReads(messages: readonly Message[], values: MessageValues = {}): FactRef[] {
  const refs = Object.values(values).flatMap((each) => (isFactRef(each) ? [each] : amountReads(each)));
  return messages.some((message) => typeof message === 'object') ? [...refs, locale] : refs;
}

/**
 * The text of a message for the member, with its values.
 * @throws EvaluationError when an amount cannot be computed
 */
export function messageText(message: Message, values: MessageValues | undefined, readFact: ReadRef): string {
  const chosen = typeof message === 'string' ? message : inLanguage(message, readFact(locale));
  if (!chosen.includes('{{')) return chosen;
  return chosen.replaceAll(placeholder, (whole, name: string) => {
    const reference = values?.[name.trim()];
    return reference
      ? valueText(isFactRef(reference) ? readFact(reference) : computeAmount(reference, readFact))
      : whole;
  });
}

/** The text for a locale: of the language tag itself, else with ever fewer subtags, else the first (RFC 4647, lookup). */
function inLanguage(texts: Readonly<Record<string, string>>, wanted: unknown): string {
  const byTag = new Map(Object.entries(texts).map(([tag, each]) => [tag.toLowerCase(), each]));
  const subtags = typeof wanted === 'string' ? wanted.toLowerCase().replaceAll('_', '-').split('-') : [];
  for (let length = subtags.length; length > 0; length -= 1) {
    const found = byTag.get(subtags.slice(0, length).join('-'));
    if (found !== undefined) return found;
  }
  return Object.values(texts)[0] ?? '';
}

/** Most characters of a value in a text; a longer one is cut. */
const valueMax = 200;

/** A value as a plain text: numbers without exponent, dates as in JSON, nothing for a missing value. */
function valueText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'number') return Number.isFinite(value) ? new Big(value).toFixed() : '';
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : value.toISOString();
  if (Array.isArray(value)) return shortened(value.map(valueText).join(', '));
  const plain = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return shortened(plain);
}

/** Never ends with half of a character that has two code units. */
function shortened(text: string): string {
  return text.slice(0, valueMax).replace(/\p{Surrogate}$/u, '');
}
