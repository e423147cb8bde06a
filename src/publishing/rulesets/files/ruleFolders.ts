import os from 'node:os';
import path from 'node:path';

/** The folders of rule files: one org has its program folders directly in RULES_DIR, any other org in `@<org>`. */
export interface RuleFolders {
  /** Absolute RULES_DIR. */
  rulesDir: string;
  /** Code of the org whose program folders are directly in RULES_DIR. */
  orgCode: string;
}

/** The folder with the rule files of one org. */
export interface RuleFolder {
  /** Absolute path. The folder contains the org's program folders. */
  folder: string;
  /** The beginning of the org's paths below RULES_DIR: empty, or `@<org>/`. */
  prefix: string;
  /** Host and folder. With it, a start finds the last load from here and sees whether the files have changed since. */
  place: string;
}

/** The rule folder of an org, by its code. */
export function orgRuleFolder({ rulesDir, orgCode }: RuleFolders, org: string): RuleFolder {
  const own = org === orgCode;
  const folder = own ? rulesDir : path.join(rulesDir, `@${org}`);
  return { folder, prefix: own ? '' : `@${org}/`, place: `${os.hostname()}:${folder}` };
}

/** The code of the org that a changed path below RULES_DIR belongs to. */
export function orgOfPath({ rulesDir, orgCode }: RuleFolders, changed: string): string {
  const first = path.relative(rulesDir, changed).split(path.sep)[0] ?? '';
  return first.startsWith('@') ? first.slice(1) : orgCode;
}
