/** A promise, and the test files that show it. */
export interface FaultRow {
  number: string;
  promise: string;
  /** Paths below `test`, without their ending. */
  files: string[];
}

export const rows: readonly FaultRow[];

/** The path of a file of a row. */
export function fileOf(name: string): string;
