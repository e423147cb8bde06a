import type { TSchema } from '@sinclair/typebox';
import { isNumber, parseDecimal } from '#base/common/cells/cellNumbers';
import type { FactDefinition } from '../../format/factDefinition';
import { type FactType, typeOfRef } from '../../format/factType';
import { type OperatorDefinition, operators } from '../../language/operators';
import { schemaAt } from '../../source/checkShape';
import type { JsonPath } from '../../source/ruleSource';

/** The type of the cells of a CSV column. `any`: what all of them look like, a number, boolean or text. */
export interface CellType {
  kind: 'text' | 'number' | 'boolean' | 'any';
  /** The cell contains several values, separated by `|`. */
  isList: boolean;
}

/** The cell type of a condition column. It follows from the operator and the type of the fact. */
export function conditionCellType(
  facts: Record<string, FactDefinition>,
  { operator, ...ref }: { fact: string; path?: string; params?: unknown; operator: string },
): CellType {
  const names = operator.split(':');
  const base = names.pop() ?? '';
  const definition = Object.hasOwn(operators, base) ? operators[base] : undefined;
  const found = typeOfRef(facts, ref);
  const fact: FactType = 'kind' in found ? found : { kind: 'any' };
  if (!definition) return { kind: 'text', isList: false };
  const isOfElements = definition.value === 'element' || names.some((name) => /^(?:some|every)Fact$/.test(name));
  const compared = isOfElements ? (fact.item ?? { kind: 'any' }) : fact;
  const isList = ['listOfSame', 'pair'].includes(definition.value) || names.some((name) => name.endsWith('Value'));
  return { kind: fixedKinds[definition.value] ?? kinds[compared.kind], isList };
}

/** The cell kinds of operators whose values do not depend on the fact. */
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
  // Parts of `ext` can be anything. Codes such as 007 and 1E5 are strings, so all cells are.
  object: 'text',
  list: 'text',
  any: 'text',
};

/** The cell type of a rule field, from the schema of rules. The rule's values choose between alternatives. */
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

/**
 * The value of a cell's text. A cell that does not fit the type stays a string, so that the check of the rule reports
 * it.
 */
export function cellValue(text: string, { kind, isList }: CellType): unknown {
  return isList ? text.split('|').map((part) => readScalar(part.trim(), kind)) : readScalar(text, kind);
}

function readScalar(text: string, kind: CellType['kind']): unknown {
  if (kind !== 'text' && kind !== 'boolean' && isNumber(text)) return parseDecimal(text);
  if (kind !== 'text' && kind !== 'number' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}
