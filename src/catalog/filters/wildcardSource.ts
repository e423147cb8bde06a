/**
 * The regular expression of a text with wildcards: `*` stands for any characters, `?` for one. It is meant to be matched
 * with the options `is`, and of the kind that reads accept (`query/guardRegex`): a star at an end is left out.
 * @param end what stands for the end of the text
 */
export function wildcardSource(text: string, end = '$'): string {
  const chars = [...text.replace(/\*+/g, '*')];
  const hasStart = chars[0] !== '*';
  const hasEnd = chars.at(-1) !== '*';
  const inner = chars.slice(hasStart ? 0 : 1, hasEnd || chars.length === 1 ? undefined : -1);
  return `${hasStart ? '^' : ''}${inner.map(sourceOf).join('')}${hasEnd ? end : ''}`;
}

function sourceOf(char: string): string {
  if (char === '*') return '.*';
  if (char === '?') return '.';
  return /[\\^$.|+()[\]{}]/.test(char) ? `\\${char}` : char;
}
