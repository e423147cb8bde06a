/**
 * Makes the regular expression of a text with wildcards: `*` matches any characters, `?` one character. Match it with
 * the options `is`. A star at either end is left out, so that `query/guardRegex` accepts the expression.
 * @param end what matches the end of the text
 */
export function wildcardSource(text: string, end = '$'): string {
  const chars = [...text.replace(/\*+/g, '*')];
  const hasStart = chars[0] !== '*';
  const hasEnd = chars.at(-1) !== '*';
  const inner = chars.slice(hasStart ? 0 : 1, hasEnd || chars.length === 1 ? undefined : -1);
  return `${hasStart ? '^' : ''}${inner.map(escapeChar).join('')}${hasEnd ? end : ''}`;
}

function escapeChar(char: string): string {
  if (char === '*') return '.*';
  if (char === '?') return '.';
  return /[\\^$.|+()[\]{}]/.test(char) ? `\\${char}` : char;
}
