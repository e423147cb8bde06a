import { Type } from '@sinclair/typebox';
import { record, text } from '../schema/atoms';
import { compileParse } from '../schema/parse';
import { type ConditionScope, checkConditions } from './checkConditions';
import { checkLineFacts } from './checkLineFacts';
import { checkRule, type PlacedRule } from './checkRule';
import { checkSet } from './checkSet';
import { makeShapeCheck } from './checkShape';
import type { Definitions, ProgramDefinition } from './definitions';
import { isWritten, NamedConditions, type NamedEntry } from './namedConditions';
import { pause } from './pause';
import { type ProgramScope, programScope } from './programScope';
import { type RuleDraft, ruleShape } from './rule';
import type { JsonPath, RuleSource } from './ruleSource';

/** A checked rule and where it stands. */
export interface PlacedDraft {
  source: RuleSource;
  at: JsonPath;
  draft: RuleDraft;
}

/** A named condition in a rule file; rules of the program refer to it as `{"condition": "<name>"}`. */
export const namedConditionShape = record({
  $schema: Type.Optional(Type.String({ maxLength: 500 })),
  namedCondition: text(100, { description: 'Name, unique in the program' }),
  description: Type.Optional(text(2000)),
  conditions: Type.Unsafe<unknown>({ type: 'object' }),
});

const checkNamedShape = makeShapeCheck(namedConditionShape);
const checkRuleShape = makeShapeCheck(ruleShape);
const parseRule = compileParse(ruleShape);

/** Rules checked without a pause. */
const rulesAtOnce = 20;

/** Reads all files of a program: faults go to their sources, rules without any are answered. */
export async function readProgram(
  sources: readonly RuleSource[],
  program: ProgramDefinition,
  definitions: Definitions,
): Promise<PlacedDraft[]> {
  const entries = sources.flatMap(entriesOf);
  const scope = programScope(program, definitions, entries.flatMap(metricsOf));
  const written = entries.flatMap(namedEntry);
  const conditionScope = {
    facts: scope.facts,
    named: new Set(written.map(({ name }) => name)),
    namedLists: scope.namedLists.map(({ name }) => name),
  };
  const reading = { program, scope, conditionScope, named: new NamedConditions(written, conditionScope) };
  const placed: PlacedRule[] = [];
  const drafts: PlacedDraft[] = [];
  for (const [index, entry] of entries.filter(isRule).entries()) {
    if (entry.source.isFull) continue;
    if (index % rulesAtOnce === 0) await pause();
    const { rule, draft } = readRule(entry, reading);
    if (rule) placed.push(rule);
    if (draft) drafts.push(draft);
  }
  checkSet(placed);
  return drafts;
}

/** What the rules of a program are read with. */
interface Reading {
  program: ProgramDefinition;
  scope: ProgramScope;
  conditionScope: ConditionScope;
  named: NamedConditions;
}

/** A rule whose fields could be read, and its draft when nothing is wrong with it. */
function readRule(
  { source, at, value }: Entry,
  { program, scope, conditionScope, named }: Reading,
): { rule?: PlacedRule; draft?: PlacedDraft } {
  if (!isObject(value)) {
    source.error(at, `a rule is an object, { "key": ... }; this is ${kindOf(value)}`);
    return {};
  }
  const faultsBefore = source.faultCount;
  const fields = checkRuleShape(source, at, value) ? parseRule(structuredClone(value)) : undefined;
  const place = [...at, 'conditions'];
  const conditions = 'conditions' in value ? value.conditions : { all: [] };
  const areFit = isObject(conditions) && checkConditions(source, place, conditions, conditionScope);
  if (!fields) return {};
  const rule = { source, at, rule: fields };
  checkRule(rule, scope);
  const expanded = areFit && isWritten(conditions) ? named.expand(source, place, conditions) : undefined;
  if (!expanded || source.faultCount > faultsBefore) return { rule };
  checkLineFacts(rule, expanded);
  if (source.faultCount > faultsBefore) return { rule };
  const { $schema: _editor, ...rest } = fields;
  const { _id: programId, code: programCode } = program;
  const position = Number(at[0] ?? 0);
  const draft = { ...rest, conditions: expanded, file: source.file.path, position, programId, programCode };
  return { rule, draft: { source, at, draft } };
}

/** One rule or named condition as it stands in a file. */
interface Entry {
  source: RuleSource;
  at: JsonPath;
  value: unknown;
}

function entriesOf(source: RuleSource): Entry[] {
  const { value } = source;
  if (value === undefined) return [];
  if (Array.isArray(value)) return value.map((each, index) => ({ source, at: [index], value: each }));
  return [{ source, at: [], value }];
}

function namedEntry({ source, at, value }: Entry): NamedEntry[] {
  if (!isObject(value) || !('namedCondition' in value) || !checkNamedShape(source, at, value)) return [];
  return [{ name: String(value.namedCondition), source, at, conditions: value.conditions }];
}

/** Metrics that a rule counts, as far as it can be read. */
function metricsOf({ value }: Entry): string[] {
  const actions = isObject(value) && Array.isArray(value.actions) ? value.actions : [];
  return actions.flatMap((action) => (isObject(action) && typeof action.metric === 'string' ? [action.metric] : []));
}

function isRule({ value }: Entry): boolean {
  return !(isObject(value) && 'namedCondition' in value);
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list in a list' : `a ${typeof value === 'string' ? 'text' : typeof value}`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
