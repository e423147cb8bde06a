/**
 * Says a text of the service, such as a fault, in another language: a table has the texts, with `{}` for each part that
 * differs (`must be >= {}`). In the translation `{1}` is the first of these parts as it is, and `{1:said}` is it said by
 * the table too. A text that the table has not stays as it is.
 * @param table the translations by the text of the service
 */
export function makeSay(table: Readonly<Record<string, string>>): (text: string) => string {
  const patterns = Object.entries(table)
    .filter(([text]) => text.includes('{}'))
    .map(([text, said]): Pattern => ({ parts: text.split('{}'), said }))
    // The one that says most of the text itself is meant.
    .sort((one, other) => lengthOf(other) - lengthOf(one));
  const worded = patterns.filter(hasWords);
  // Such as `{}: {}`: what else the table knows is rather meant.
  const bare = patterns.filter((each) => !hasWords(each));

  function known(text: string): string | undefined {
    return inTable(text) ?? afterSubject(text) ?? firstOf(bare, text);
  }

  function inTable(text: string): string | undefined {
    return Object.hasOwn(table, text) ? table[text] : firstOf(worded, text);
  }

  function firstOf(among: readonly Pattern[], text: string): string | undefined {
    for (const { parts, said } of among) {
      const values = valuesIn(text, parts);
      if (values) return said.replace(/\{(\d)(:said)?\}/g, (_mark, at, isSaid) => filled(values[at - 1] ?? '', isSaid));
    }
    return undefined;
  }

  function filled(value: string, isSaid: string | undefined): string {
    return isSaid ? (clauses(value) ?? known(value) ?? value) : value;
  }

  /** Several sentences or words in one text, each said by itself; undefined when one of them is not known. */
  function clauses(text: string): string | undefined {
    const sentences = splitOutside(text, '; ');
    if (sentences.length > 1) return allOf(sentences.map(known))?.join('; ');
    for (const [between, saidBetween] of betweenWords) {
      const words = text.split(between).map(wordOf);
      const said = words.length > 1 ? allOf(words) : undefined;
      if (said) return said.join(saidBetween);
    }
    return undefined;
  }

  function wordOf(text: string): string | undefined {
    if (Object.hasOwn(table, text)) return table[text];
    return text.includes(' ') ? undefined : text;
  }

  /** What is said of a field that the text begins with, as in `priority must be >= 1`. */
  function afterSubject(text: string): string | undefined {
    const [, subject, rest = ''] = /^([\w.$[\]'"-]+) (.+)$/s.exec(text) ?? [];
    if (subject === undefined) return undefined;
    const said = inTable(rest);
    return said === undefined ? undefined : `${firstOf(bare, subject) ?? subject} ${said}`;
  }

  return (text) => {
    if (text.length > longest) return text;
    const [whole, name] = /^(.*) \(did you mean "([^"]*)"\?\)$/s.exec(text)?.slice(1) ?? [];
    if (whole === undefined) return known(text) ?? text;
    return `${known(whole) ?? whole}${(table[likeName] ?? likeName).replace(/\{1?\}/, name ?? '')}`;
  };
}

/** Characters of the longest text that is looked at; a fault of the service is shorter. */
const longest = 2000;

/** What the service adds to the text of a misspelt name. */
const likeName = ' (did you mean "{}"?)';

/** The texts, when all of them are known. */
function allOf(texts: readonly (string | undefined)[]): string[] | undefined {
  const all = texts.filter((each) => each !== undefined);
  return all.length === texts.length ? all : undefined;
}

/** What stands between words that are said in one, and what stands there in the translation. */
const betweenWords = [
  [' or ', ' oder '],
  [' and ', ' und '],
  [',', ' oder '],
] as const;

/** Splits a text at a separator where that stands in no parentheses. */
function splitOutside(text: string, between: string): string[] {
  const parts: string[] = [];
  let last = '';
  for (const piece of text.split(between)) {
    last = last === '' ? piece : last + between + piece;
    if (last.split('(').length > last.split(')').length) continue;
    parts.push(last);
    last = '';
  }
  return last === '' ? parts : [...parts, last];
}

interface Pattern {
  /** What stands before, between and after the parts that differ. */
  parts: readonly string[];
  said: string;
}

function hasWords({ parts }: Pattern): boolean {
  return parts.some((part) => /[a-z]/i.test(part));
}

function lengthOf({ parts }: Pattern): number {
  return parts.join('').length;
}

/** The parts of a text that differ; undefined when the text is another one. Each is as short as can be. */
function valuesIn(text: string, [first = '', ...parts]: readonly string[]): string[] | undefined {
  const last = parts.pop() ?? '';
  if (!text.startsWith(first) || !text.endsWith(last)) return undefined;
  const end = text.length - last.length;
  const values: string[] = [];
  let from = first.length;
  for (const part of parts) {
    const at = text.indexOf(part, from);
    if (at < 0 || at + part.length > end) return undefined;
    values.push(text.slice(from, at));
    from = at + part.length;
  }
  return from > end ? undefined : [...values, text.slice(from, end)];
}
