import type { FieldError } from '#base/common/errors';

/** A row of a file as it was read. */
export interface FileRow {
  /** The line on which it begins, from 1. */
  line: number;
  /** The end of the row in the file, in bytes. */
  end: number;
  /** What is kept of the row for the file of failed rows: its cells, or its text. */
  kept: { cells: string[] } | { text: string } | undefined;
  /** The fields of the row; absent when it cannot be read. */
  value?: Record<string, unknown>;
  /** Why it cannot be read. */
  faults?: readonly FieldError[];
}
