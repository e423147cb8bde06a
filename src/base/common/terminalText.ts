/**
 * Matches what a terminal takes for a command, or what changes the order of the text that it shows: control characters
 * except tab and newline, lone surrogates, line separators, and marks of the writing direction.
 */
const commands = /[^\P{Control}\t\n]|[\p{Surrogate}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/gu;

/**
 * Makes a text from any source safe for a terminal: each character that a terminal could obey becomes an escape such as
 * `\u001b`.
 */
export function terminalText(text: string): string {
  return text.replace(commands, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
