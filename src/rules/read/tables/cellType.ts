import type { TSchema } from '@sinclair/typebox';
import type { FactDefinition } from '../../format/facts';
import { type FactType, typeOfRef } from '../../format/factType';
import { type OperatorDefinition, operators } from '../../language/operators';
import { schemaAt } from '../../source/checkShape';
import type { JsonPath } from '../../source/ruleSource';

/** What the texts of a column in a CSV file stand for; `any`: numbers, true and false by their looks, else texts. */
export interface CellType {
  kind: 'text' | 'number' | 'boolean' | 'any';
  /** Several values, with `|` between them. */
  isList: boolean;
}

/** What an operator is compared with, by the type of its fact. */
export function conditionCellType(
  facts: Record<string, FactDefinition>,
  { operator, ...ref }: { fact: string; path?: string; params?: unknown; operator: string },
): CellType {
  const names = operator.split(':');
  const base = names.pop() ?? '';
  const definition = Object.hasOwn(operators, base) ? operators[base] : undefined;
  const found = typeOfRef(facts, ref);
  const fact: FactType = 'kind' in found ? found : { kind: 'any' };
  if (!definition) return { kind: 'any', isList: false };
  const isOfElements = definition.value === 'element' || names.some((name) => /^(?:some|every)Fact$/.test(name));
  const compared = isOfElements ? (fact.item ?? { kind: 'any' }) : fact;
  const isList = ['listOfSame', 'pair'].includes(definition.value) || names.some((name) => name.endsWith('Value'));
  return { kind: fixedKinds[definition.value] ?? kinds[compared.kind], isList };
}

/** Operators whose values are of one kind, whatever the fact. */
const fixedKinds: Partial<Record<OperatorDefinition['value'], CellType['kind']>> = {
  days: 'number',
  text: 'text',
  regex: 'text',
  listName: 'text',
  boolean: 'boolean',
};

const kinds: Record<FactType['kind'], CellType['kind']> = {
  number: 'number',
  text: 'text',
  boolean: 'boolean',
  date: 'text',
  object: 'any',
  list: 'any',
  any: 'any',
};

/** What a field of a rule is, by the schema of rules and what stands in the rule. */
export function fieldCellType(schema: TSchema, rule: unknown, field: JsonPath): CellType {
  const found = schemaAt({ schema, value: rule }, field);
  const isList = found?.type === 'array';
  const items: TSchema | undefined = isList ? found?.items : found;
  return { kind: schemaKinds[String(items?.type)] ?? 'any', isList };
}

const schemaKinds: Record<string, CellType['kind']> = {
  integer: 'number',
  number: 'number',
  string: 'text',
  boolean: 'boolean',
};

/** `007` is a name rather than a number. */
function isNumber(text: string): boolean {
  return /^-?[\d.]+$/.test(text) && !/^-?0\d/.test(text) && Number.isFinite(Number(text));
}

/**
 * The value of a cell's text. What is not of its type stays a text, so that the check of the rule says what must stand
 * there.
 */
export function cellValue(text: string, { kind, isList }: CellType): unknown {
  return isList ? text.split('|').map((part) => scalarOf(part.trim(), kind)) : scalarOf(text, kind);
}

function scalarOf(text: string, kind: CellType['kind']): unknown {
  if (kind !== 'text' && kind !== 'boolean' && isNumber(text)) return Number(text);
  if (kind !== 'text' && kind !== 'number' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}
