import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import type { ProgramDefinition } from '../rules/format/definitions';
import type { RuleDraft } from '../rules/format/rule';
import { type ReadResult, readRules } from '../rules/read/readRules';
import type { RuleFile } from '../rules/source/ruleSource';
import { definitionsOf } from '../rulesets/definitionsOf';
import { inForce } from '../rulesets/inForce';

/** Rules that are to be tried: files in place of all there are, or single rules of one program beside the others. */
export type ChangedRules =
  | { files: readonly RuleFile[] }
  | { rules: readonly unknown[]; program: Pick<ProgramDefinition, '_id' | 'code'> };

/** Name of the file that single rules stand in, as faults name it. */
const sentFile = 'rules.json';

/** Checks changed rules as publishing would, with their tests; every other rule of `rules` stays as it is in force. */
export async function readChangedRules(db: Connection, org: ObjectId, changed: ChangedRules): Promise<ReadResult> {
  const current = await inForce(db, org);
  const drafts = current?.drafts ?? [];
  const definitions = await definitionsOf(db, org, drafts);
  if ('files' in changed) return readRules(changed.files, definitions);
  const { rules, program } = changed;
  const keys = new Set(rules.flatMap(keyOf));
  const isReplaced = ({ programId, key, row }: RuleDraft) =>
    programId.equals(program._id) && (keys.has(key) || (row !== undefined && keys.has(row.table)));
  const sent = { path: `${program.code}/${sentFile}`, text: JSON.stringify(rules, null, 2) };
  const kept = drafts.filter((draft) => !isReplaced(draft));
  const read = await readRules([...filesOf(kept, sent.path), sent], definitions);
  return { ...read, rules: read.rules.map((draft) => placed(draft, drafts)) };
}

function keyOf(rule: unknown): string[] {
  return typeof rule === 'object' && rule !== null && 'key' in rule && typeof rule.key === 'string' ? [rule.key] : [];
}

/** Rules in force as files again; one that would be named as what was sent gets another name. */
function filesOf(drafts: readonly RuleDraft[], taken: string): RuleFile[] {
  const byFile = new Map<string, RuleDraft[]>();
  for (const draft of drafts) byFile.set(draft.file, [...(byFile.get(draft.file) ?? []), draft]);
  return [...byFile].flatMap(([file, own]) => {
    const path = file === taken ? file.replace(/\.json$/, ' (in force).json') : file;
    return partsOf(own.map((draft) => JSON.stringify(written(draft)))).map((rules, part) => ({
      path: part === 0 ? path : path.replace(/\.json$/, ` (part ${part + 1}).json`),
      text: `[${rules.join(',')}]`,
    }));
  });
}

/** Characters of rules that one file gets at most, but for a rule that is longer by itself. */
const partMax = 400_000;

/** The rules of a table may be far longer than the file that they come of. */
function partsOf(rules: readonly string[]): string[][] {
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

/** Of a row, a rule by itself: without its table, that table's tests have nothing to name. */
function written({ file: _file, position: _at, programId: _id, programCode: _code, row, tests, ...rule }: RuleDraft) {
  return row === undefined && tests !== undefined ? { ...rule, tests } : rule;
}

/** A rule keeps its place, which orders rules of the same priority. */
function placed(draft: RuleDraft, drafts: readonly RuleDraft[]): RuleDraft {
  const before = drafts.find(({ programId, key }) => programId.equals(draft.programId) && key === draft.key);
  return before ? { ...draft, file: before.file, position: before.position } : draft;
}
