/** Ascending positions as text: `0-3,7`. */
export function linesText(positions: readonly number[]): string {
  const ranges: { from: number; to: number }[] = [];
  for (const position of positions) {
    const last = ranges.at(-1);
    if (last && last.to === position - 1) last.to = position;
    else ranges.push({ from: position, to: position });
  }
  return ranges.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`)).join(',');
}

/** Reads the positions that {@link linesText} wrote. */
export function parseLines(text: string): Set<number> {
  const lines = new Set<number>();
  for (const range of text === '' ? [] : text.split(',')) {
    const [from = 0, to = from] = range.split('-').map(Number);
    for (let line = from; line <= to; line += 1) lines.add(line);
  }
  return lines;
}
