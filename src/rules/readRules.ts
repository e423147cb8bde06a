import type { Definitions } from './definitions';
import type { RuleDraft } from './rule';

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

/** The rules of all files in rule order; a set with errors must not be published. Warnings never refuse a set. */
export interface ReadResult {
  rules: RuleDraft[];
  errors: RuleFault[];
  warnings: RuleFault[];
}

/** Reads and checks all rule files of an org, then runs the tests that stand in them (DESIGN 8, Loading). */
export async function readRules(_files: readonly RuleFile[], _definitions: Definitions): Promise<ReadResult> {
  return { rules: [], errors: [], warnings: [] };
}
