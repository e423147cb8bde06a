import type { SourcePosition } from './ruleSource';

/** Converts offsets in the text of a file to lines and columns. */
export class TextPositions {
  private readonly lineStarts: readonly number[];

  constructor(
    private readonly file: string,
    text: string,
  ) {
    this.lineStarts = lineStarts(text);
  }

  /** The position of the character at an offset. The offset counts from 0. */
  at(offset: number): SourcePosition {
    let low = 0;
    let high = this.lineStarts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.lineStarts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { file: this.file, line: low + 1, column: offset - (this.lineStarts[low] ?? 0) + 1 };
  }
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}
