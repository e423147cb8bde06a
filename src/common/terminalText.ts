/**
 * What a terminal would take for a command, or for another order of what it shows: control characters but tab and newline,
 * lone surrogates, and the marks that turn the direction of writing.
 */
const commands = /[^\P{Control}\t\n]|[\p{Surrogate}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/gu;

/** A text as it may be written to a terminal, whoever it comes from: what is no ordinary character is written as `\u001b`. */
export function terminalText(text: string): string {
  return text.replace(commands, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
