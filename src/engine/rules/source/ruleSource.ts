import type { Message } from '#base/common/messages/message';

/** The path of a value in a file: names and list positions from the root. */
export type JsonPath = readonly (string | number)[];

/** A position in a file. Lines and columns count from 1; columns count UTF-16 units. */
export interface SourcePosition {
  file: string;
  line: number;
  column: number;
}

/** The source of a rule. It collects the faults of the rule with their positions. */
export interface RuleSource {
  readonly file: RuleFile;
  /** Number of faults found so far, with those that are not stored. */
  readonly faultCount: number;
  /** Whether the source stores no further fault. Then further checks are useless. */
  readonly isFull: boolean;
  /** Adds a fault at a value, or at the nearest value around it when it is missing. */
  error(path: JsonPath, fault: Message): void;
  /** Adds a fault at the name of a property. */
  keyError(path: JsonPath, fault: Message): void;
  /** Adds a warning. A warning never refuses the file. */
  warning(path: JsonPath, fault: Message): void;
  /** The position of a value, or of the nearest value around it when it is missing. */
  placeOf(path: JsonPath): SourcePosition;
}

/** A rule file as read from disk: its path below the org's rule folder, `<program code>/<name>.json`. */
export interface RuleFile {
  path: string;
  text: string;
}

/** A fault of a rule file with its position. Lines and columns count from 1; columns count UTF-16 units. */
export interface RuleFault extends SourcePosition, Message {}
