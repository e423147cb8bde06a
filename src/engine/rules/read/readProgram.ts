import { Type } from '@sinclair/typebox';
import { message } from '#base/common/messages/message';
import { isPlainObject } from '#base/common/plainObject';
import { yieldNow } from '#base/common/yielding';
import { record, text } from '#base/schema/atoms';
import { compileParse } from '#base/schema/parse';
import { type ConditionScope, checkConditions } from '../check/checkConditions';
import { checkEarlier } from '../check/checkEarlier';
import { checkRule } from '../check/checkRule';
import { checkSet } from '../check/checkSet';
import { type ProgramScope, programScope } from '../check/programScope';
import type { SourcedRule } from '../check/sourcedRule';
import { tierMetricWarnings } from '../check/tierMetricWarnings';
import { actionReads, conditionReads } from '../evaluate/ruleSet';
import { factDefinitions, lineFacts } from '../format/facts';
import { type RuleDefinition, ruleShape } from '../format/rule';
import type { ProgramReferences, RuleReferences } from '../format/ruleReferences';
import type { NamedLookup } from '../format/tableFact';
import type { Condition } from '../language/condition';
import type { LookupTable, LookupTables } from '../lookup/lookupTable';
import { makeShapeCheck } from '../source/checkShape';
import type { JsonSource } from '../source/jsonSource';
import type { JsonPath, RuleFault, RuleSource } from '../source/ruleSource';
import { isLookup } from './lookupEntries';
import { collectLookups, withLookups } from './lookups';
import { isWritten, NamedConditions, type NamedEntry } from './namedConditions';
import { effectiveIn, withPlainDates } from './plainDates';
import { expandTable, type RuleEntry, type TableContext } from './tables/expandTable';

/** A checked rule and its position in a file. */
export interface LocatedRule {
  source: RuleSource;
  at: JsonPath;
  draft: RuleDefinition;
  /** As the file writes them: named conditions are still names. */
  conditions: unknown;
}

/** The rules and named conditions in the files of a program. */
export interface ProgramRules {
  rules: LocatedRule[];
  named: readonly NamedEntry[];
  /** The lookup tables that the rules read. */
  lookupTables: LookupTables;
  /** What the rules show to be doubtful in definitions of the program. */
  warnings: readonly RuleFault[];
}

/** A named condition in a rule file. Rules of the program refer to it with `{"condition": "<name>"}`. */
export const namedConditionShape = record({
  $schema: Type.Optional(Type.String({ maxLength: 500 })),
  namedCondition: text(100, { description: 'Name, unique in the program' }),
  description: Type.Optional(text(2000)),
  conditions: Type.Unsafe<unknown>({ type: 'object' }),
});

const checkNamedShape = makeShapeCheck(namedConditionShape);
const checkRuleShape = makeShapeCheck(ruleShape);
const parseRule = compileParse(ruleShape);

/** Number of rules to check between two pauses. */
const rulesAtOnce = 20;

/** The files of a program, and the remaining capacity for tables. */
export interface ProgramFiles extends Pick<TableContext, 'files' | 'capacity'> {
  sources: readonly JsonSource[];
}

/** Reads all files of a program. Reports faults to their sources, and returns the rules without a fault. */
export async function readProgram(
  { sources, ...files }: ProgramFiles,
  program: ProgramReferences,
  definitions: RuleReferences,
): Promise<ProgramRules> {
  const lookups = await collectLookups(sources.flatMap(writtenIn), files, program);
  const facts = factsFor(program, definitions, lookups.named);
  const entries = (await readRuleEntries(sources, { ...files, facts })).filter(({ value }) => !isLookup(value));
  const counted = entries.flatMap(entryMetrics);
  const scope = programScope(program, definitions, counted, lookups.named);
  const written = entries.flatMap(namedEntry);
  const conditionScope = {
    facts: scope.facts,
    named: new Set(written.map(({ name }) => name)),
    namedLists: scope.namedLists.map(({ name }) => name),
  };
  const reading = {
    program,
    scope,
    conditionScope,
    lookups: lookups.tables,
    named: new NamedConditions(written, conditionScope),
  };
  const placed: SourcedRule[] = [];
  const drafts: LocatedRule[] = [];
  for (const [index, entry] of entries.filter(isRule).entries()) {
    if (entry.source.isFull) continue;
    if (index % rulesAtOnce === 0) await yieldNow();
    const { rule, draft } = readRule(entry, reading);
    if (rule) placed.push(rule);
    if (draft) drafts.push(draft);
  }
  checkSet(placed, (key) => definitions.files?.get(`${program.code} ${key}`));
  checkEarlier(drafts, written);
  lookups.warnOfUnread(drafts.map(({ draft }) => draft));
  return {
    rules: drafts,
    named: written,
    lookupTables: lookups.readBy(drafts.map(({ draft }) => draft)),
    warnings: tierMetricWarnings(program, [...definitions.metrics, ...counted]),
  };
}

/** The context for reading the rules of one program. */
interface Reading {
  program: ProgramReferences;
  scope: ProgramScope;
  conditionScope: ConditionScope;
  named: NamedConditions;
  lookups: ReadonlyMap<string, LookupTable>;
}

/** `rule` is present when the fields could be read, `draft` when the rule has no fault at all. */
function readRule(
  { source, at, value, position, row }: Entry,
  { program, scope, conditionScope, named, lookups }: Reading,
): { rule?: SourcedRule; draft?: LocatedRule } {
  if (!isPlainObject(value)) {
    source.error(at, message('ruleFiles.ruleNoObject', { kind: jsonKind(value) }));
    return {};
  }
  const faultsBefore = source.faultCount;
  const fields = checkRuleShape(source, at, value) ? parseRuleFields(value, program.timezone) : undefined;
  const place = [...at, 'conditions'];
  const conditions = 'conditions' in value ? value.conditions : { all: [] };
  const areFit = isPlainObject(conditions) && checkConditions(source, place, conditions, conditionScope);
  if (!fields) return {};
  const rule = { source, at, rule: fields, row };
  checkRule(rule, scope);
  const expanded = areFit && isWritten(conditions) ? named.expand(source, place, conditions) : undefined;
  if (!expanded || source.faultCount > faultsBefore) return { rule };
  checkLineFacts(rule, expanded);
  if (source.faultCount > faultsBefore) return { rule };
  const { $schema: _editor, table: _table, ...rest } = fields;
  const { _id: programId, code: programCode } = program;
  const dated = withPlainDates(expanded, scope.facts, program.timezone);
  const origin = { file: source.file.path, position, programId, programCode };
  const rowOf = row ?? program.rows?.get(fields.key);
  const draft = { ...rest, conditions: dated, ...origin, ...(rowOf && { row: rowOf }) };
  return { rule, draft: { source, at, draft: withLookups(draft, lookups), conditions } };
}

/** The fields of a rule. Its plain dates are days of the time zone. */
function parseRuleFields(value: Record<string, unknown>, timezone: string) {
  const { effective: parsed, ...fields } = parseRule(structuredClone(value));
  const effective = effectiveIn(parsed, value.effective, timezone);
  return { ...fields, ...(effective && { effective }) };
}

/** The facts that columns of tables may compare. */
function factsFor(
  { purses, tiers }: ProgramReferences,
  { segments, metrics, namedLists = [], querySegments = [] }: RuleReferences,
  lookupTables: readonly NamedLookup[],
) {
  return factDefinitions({ purses, tiers, segments, metrics, namedLists, querySegments, lookupTables });
}

/** A rule or named condition, and its position among those of its file. */
type Entry = RuleEntry & { position: number };

/** The rules and named conditions of files. A rule with a table is replaced by the rules of its rows. */
async function readRuleEntries(sources: readonly JsonSource[], tables: TableContext): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const source of sources) {
    let position = 0;
    for (const written of writtenIn(source)) {
      if (hasTable(written)) await yieldNow();
      const own = hasTable(written) ? rowEntries(source, written, tables) : [written];
      for (const entry of own) {
        entries.push({ ...entry, position });
        position += 1;
      }
    }
  }
  return entries;
}

function writtenIn(source: JsonSource): RuleEntry[] {
  const { value } = source;
  if (value === undefined) return [];
  if (Array.isArray(value)) return value.map((each, index) => ({ source, at: [index], value: each }));
  return [{ source, at: [], value }];
}

type WithTable = RuleEntry & { value: Record<string, unknown> };

function hasTable(entry: RuleEntry): entry is WithTable {
  const { value } = entry;
  return isPlainObject(value) && 'table' in value && !('namedCondition' in value);
}

function rowEntries(source: JsonSource, { at, value }: WithTable, tables: TableContext): RuleEntry[] {
  const table = checkRuleShape(source, at, value) ? parseRule(structuredClone(value)).table : undefined;
  return table ? expandTable(source, at, value, table, tables) : [];
}

function namedEntry({ source, at, value }: Entry): NamedEntry[] {
  if (!isPlainObject(value) || !('namedCondition' in value) || !checkNamedShape(source, at, value)) return [];
  return [{ name: String(value.namedCondition), source, at, conditions: value.conditions }];
}

/** The metrics that a rule counts. The rule is not checked yet, so parts that do not fit are ignored. */
function entryMetrics({ value }: Entry): string[] {
  const actions = isPlainObject(value) && Array.isArray(value.actions) ? value.actions : [];
  return actions.flatMap((action) =>
    isPlainObject(action) && typeof action.metric === 'string' ? [action.metric] : [],
  );
}

function isRule({ value }: Entry): boolean {
  return !(isPlainObject(value) && 'namedCondition' in value);
}

function jsonKind(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list in a list' : `a ${typeof value === 'string' ? 'text' : typeof value}`;
}

/** Checks that only a rule with `perLine` reads facts of line items. `conditions` are its expanded conditions. */
function checkLineFacts({ source, at, rule }: SourcedRule, conditions: Condition): void {
  if (rule.perLine) return;
  const check = (place: string, facts: readonly { fact: string }[]) => {
    const found = facts.find(({ fact }) => lineFacts.has(fact));
    if (found) source.error([...at, place], message('rules.factNeedsPerLine', { fact: found.fact }));
  };
  check('conditions', conditionReads(conditions));
  check('actions', rule.actions.flatMap(actionReads));
}
