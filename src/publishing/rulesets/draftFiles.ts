import { groupBy } from '#base/common/lists/groupBy';
import type { RuleDefinition } from '#engine/rules/format/rule';
import type { RuleReferences } from '#engine/rules/format/ruleReferences';
import type { RuleFile } from '#engine/rules/source/ruleSource';

/**
 * Turns checked rules back into files. They have no tables any more, so they are read with {@link withRows}. A file with
 * the path `taken` gets another name.
 */
export function draftFiles(drafts: readonly RuleDefinition[], taken?: string): RuleFile[] {
  return [...groupBy(drafts, ({ file }) => file)].flatMap(([file, own]) => {
    const path = file === taken ? file.replace(/\.json$/, ' (in force).json') : file;
    return splitDrafts(own.map((draft) => JSON.stringify(written(draft)))).map((rules, part) => ({
      path: part === 0 ? path : path.replace(/\.json$/, ` (part ${part + 1}).json`),
      text: `[${rules.join(',')}]`,
    }));
  });
}

/** Maximum size of a file, in characters. A longer rule has a file of its own. */
const partMax = 400_000;

/** Splits rules into files. The rules of a table may be far longer than the file that they were made from. */
function splitDrafts(rules: readonly string[]): string[][] {
  const parts: string[][] = [[]];
  let size = 0;
  for (const rule of rules) {
    size += rule.length;
    if (size > partMax) {
      parts.push([]);
      size = rule.length;
    }
    parts.at(-1)?.push(rule);
  }
  return parts.filter((part) => part.length > 0);
}

/** The definitions with the tables of which checked rules are rows. */
export function withRows(definitions: RuleReferences, drafts: readonly RuleDefinition[]): RuleReferences {
  const programs = definitions.programs.map((program) => {
    const own = drafts.filter(({ programId }) => programId.equals(program._id));
    return { ...program, rows: new Map(own.flatMap(({ key, row }) => (row ? [[key, row] as const] : []))) };
  });
  return { ...definitions, programs };
}

/** A rule as a file has it. */
function written({
  file: _file,
  position: _at,
  programId: _id,
  programCode: _code,
  row: _row,
  lookupTables: _tables,
  ...rule
}: RuleDefinition) {
  return rule;
}
