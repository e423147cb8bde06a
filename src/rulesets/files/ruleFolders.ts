import os from 'node:os';
import path from 'node:path';

/** Where the rule files of orgs stand: those of one org directly in a folder, of others in its folders `@<org>`. */
export interface RuleFolders {
  /** Absolute RULES_DIR. */
  rulesDir: string;
  /** Code of the org whose programs stand directly in RULES_DIR. */
  orgCode: string;
}

/** Where the rule files of one org stand. */
export interface RuleFolder {
  /** Absolute; holds the org's program folders. */
  folder: string;
  /** What paths from RULES_DIR begin with: empty, or `@<org>/`. */
  prefix: string;
  /** Names host and folder, so that a start can tell whether the files changed since the last start here. */
  place: string;
}

/** Gives where the rule files of an org stand. */
export function folderOf({ rulesDir, orgCode }: RuleFolders, org: string): RuleFolder {
  const own = org === orgCode;
  const folder = own ? rulesDir : path.join(rulesDir, `@${org}`);
  return { folder, prefix: own ? '' : `@${org}/`, place: `${os.hostname()}:${folder}` };
}

/** The code of the org that a changed path below RULES_DIR belongs to. */
export function orgOfPath({ rulesDir, orgCode }: RuleFolders, changed: string): string {
  const first = path.relative(rulesDir, changed).split(path.sep)[0] ?? '';
  return first.startsWith('@') ? first.slice(1) : orgCode;
}
