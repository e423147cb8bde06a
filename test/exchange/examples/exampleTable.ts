/** A row of the table of examples in the README of an example. */
export interface ExampleRow {
  member: string;
  /** As posted, without `loyaltyID`; or `{cancel: <number of a row>, …}`, the body of a cancel. */
  activity: Record<string, unknown> & { date: string; cancel?: number };
  /** Expected change of each purse, by its name. */
  points: Record<string, number>;
  /** Keys of the rules that fire, sorted. */
  rules: string[];
}

/** Reads the table below "What it gives". Its columns after `activity` are purses, the last one is `rules`. */
export function exampleRows(readme: string): ExampleRow[] {
  const section = readme.split('## What it gives\n')[1]?.split('\n## ')[0] ?? '';
  const [head = [], , ...rows] = section
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map(cellsOf);
  const purses = head.slice(head.indexOf('activity') + 1, -1);
  return rows.map((cells) => {
    const named = Object.fromEntries(head.map((name, index) => [name, cells[index] ?? '']));
    return {
      member: named.member ?? '',
      activity: JSON.parse((named.activity ?? '').replace(/^`|`$/g, '')),
      points: Object.fromEntries(purses.map((purse) => [purse, Number(named[purse])])),
      rules: (named.rules ?? '').split(', ').filter(Boolean).sort(),
    };
  });
}

function cellsOf(line: string): string[] {
  return line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());
}
