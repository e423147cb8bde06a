import { malformed, type ServiceError } from '../errors';

/** Where the reading of a pattern stands. */
export interface RegexScanner {
  readonly source: string;
  /** Names the argument in messages. */
  readonly where: string;
  /** Option `x`: blanks and comments do not count. */
  readonly isExtended: boolean;
  /** Position of the next character. */
  at: number;
}

/** The refusal of a pattern at the scanner's place. */
export function regexFault({ where, at }: RegexScanner, problem: string): ServiceError {
  return malformed(`${where} ${problem} (at character ${at + 1} of the regular expression)`);
}
