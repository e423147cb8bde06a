/** Where a value stands in a file: names and positions from the root. */
export type JsonPath = readonly (string | number)[];

/** A place in a file; lines and columns count from 1, columns in UTF-16 units. */
export interface Place {
  file: string;
  line: number;
  column: number;
}

/** What a rule is read from: takes the faults found in it, each at its place. */
export interface RuleSource {
  readonly file: RuleFile;
  /** How many faults were found so far, also those that are not kept. */
  readonly faultCount: number;
  /** Whether no further fault would be named, so that nothing more need be looked for. */
  readonly isFull: boolean;
  /** Adds a fault at a value, or at the nearest value around it when it is missing. */
  error(path: JsonPath, message: string): void;
  /** Adds a fault at the name of a property. */
  keyError(path: JsonPath, message: string): void;
  /** Adds what is doubtful, and never refuses the file. */
  warning(path: JsonPath, message: string): void;
  /** Where a value stands, or the nearest value around it. */
  placeOf(path: JsonPath): Place;
}

/** A rule file as read from disk: its path below the org's rule folder, `<program code>/<name>.json`. */
export interface RuleFile {
  path: string;
  text: string;
}

/** What is wrong with a rule file, and where: lines and columns count from 1, columns in UTF-16 units. */
export interface RuleFault {
  file: string;
  line: number;
  column: number;
  message: string;
}
