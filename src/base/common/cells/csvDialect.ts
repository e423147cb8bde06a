/** How a CSV file is written, as its beginning shows. */
export interface CsvDialect {
  delimiter: Delimiter;
  /** Where the header begins: after lines that are blank, and after the line `sep=;` by which Excel names the delimiter. */
  start: number;
  /** The first line names the delimiter. */
  isNamed: boolean;
}

/** What divides the cells of a file. */
export type Delimiter = ',' | ';' | '\t' | '|';

/**
 * Reads how a CSV file is written. The delimiter is the one that its first line names with `sep=`; else a comma or a
 * semicolon, whichever stands more often in the header, where quoted ones do not count.
 * @param text the file, or a beginning that has its header, without a byte order mark
 */
export function csvDialect(text: string): CsvDialect {
  const [line = '', named] = /^"?sep=([,;|\t])"?$/i.exec(lineAt(text, 0)) ?? [];
  const start = afterBlankLines(text, line.length === 0 ? 0 : afterLine(text, 0));
  return { delimiter: isDelimiter(named) ? named : usualIn(text, start), start, isNamed: isDelimiter(named) };
}

function isDelimiter(text: string | undefined): text is Delimiter {
  return text === ',' || text === ';' || text === '\t' || text === '|';
}

/** One search over all of them: a file may begin with a million blank lines. */
function afterBlankLines(text: string, from: number): number {
  const value = text.slice(from).search(/[^\s,;|]/);
  if (value === -1) return text.length;
  const before = text.slice(from, from + value);
  return from + 1 + Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r'));
}

function lineAt(text: string, start: number): string {
  return text.slice(start, endOfLine(text, start));
}

function endOfLine(text: string, start: number): number {
  let end = start;
  while (end < text.length && text[end] !== '\n' && text[end] !== '\r') end += 1;
  return end;
}

function afterLine(text: string, start: number): number {
  const end = endOfLine(text, start);
  return Math.min(text.length, text.startsWith('\r\n', end) ? end + 2 : end + 1);
}

function usualIn(text: string, start: number): Delimiter {
  let [commas, semicolons, isQuoted] = [0, 0, false];
  for (let at = start; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (sign === '\n' || sign === '\r') break;
    else if (sign === ',') commas += 1;
    else if (sign === ';') semicolons += 1;
  }
  return semicolons > commas ? ';' : ',';
}
