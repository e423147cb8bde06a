import { malformed } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { isPlainObject } from '#base/common/plainObject';
import { soughtForms } from '#base/schema/findable';
import { castValue } from './castValue';
import type { Field } from './fields';
import { deeper, type FilterScope, refusedOperator } from './filterScope';
import { keyOfPattern } from './keyedCondition';
import { fieldOperators, operandKind, type Takes, typeNames } from './operators';
import { queryLimits } from './queryLimits';
import { guardRegex, guardRegexOptions } from './regex/guardRegex';

type Condition = Record<string, unknown>;

/** Reads the filter that elements of a list must meet. The parser of whole filters passes it in. */
export type ParseElement = (field: Field, value: unknown, scope: FilterScope) => Condition;

/**
 * Reads the condition of one field: a value to equal, or an object of allowed operators.
 * @throws ServiceError 1210
 */
export function parseCondition(
  field: Field,
  value: unknown,
  scope: FilterScope,
  parseElement: ParseElement,
): Condition {
  if (!isPlainObject(value)) return inAnyForm(field, { $eq: parseValue(field, value, scope.where) });
  const names = Object.keys(value);
  const dollars = names.filter((name) => name.startsWith('$')).length;
  if (dollars > 0 && dollars < names.length) throw malformed(message('query.mixesOperators', { where: scope.where }));
  if (dollars === 0 && field.kind !== 'free') {
    throw malformed(message('query.equalsObject', { where: scope.where }));
  }
  if (dollars === 0) return { $eq: castValue(field, value, scope.where) };
  return parseOperators(field, value, deeper(scope), parseElement);
}

function parseOperators(field: Field, node: Condition, scope: FilterScope, parseElement: ParseElement): Condition {
  const condition: Condition = {};
  for (const [name, value] of Object.entries(node)) {
    const takes = operandKind(name);
    if (!takes) throw refusedOperator(name, scope.where, Object.keys(fieldOperators));
    scope.budget.spendNode();
    const where = `${scope.where}.${name}`;
    condition[name] = readers[takes](field, value, { ...scope, where }, { node, parseElement });
  }
  return inAnyForm(field, condition);
}

/**
 * Finds the values of such a field in every Unicode form in which they may be stored. Only strings beyond ASCII have
 * several.
 */
function inAnyForm({ isFindable, keyed }: Field, parsed: Condition): Condition {
  if (!isFindable) return parsed;
  // A pattern has one form: the one in which such values are stored.
  const { $regex } = parsed;
  const condition = typeof $regex === 'string' ? { ...parsed, $regex: $regex.normalize('NFC') } : parsed;
  if (keyed) return condition;
  const formsOf = (value: unknown) => (typeof value === 'string' ? soughtForms(value) : [value]);
  const others = Object.entries(condition).map(([name, value]) => {
    const forms = [value].flat().flatMap(formsOf);
    const many = { $eq: '$in', $ne: '$nin' }[name];
    if (many && forms.length > 1 && !(many in condition)) return [many, forms];
    return [name, name === '$in' || name === '$nin' ? forms : value];
  });
  return Object.fromEntries(others);
}

/** Other parts of the condition that a reader may need in addition to its own value. */
interface Around {
  /** All operators of the condition. */
  node: Condition;
  parseElement: ParseElement;
}

type Reader = (field: Field, value: unknown, scope: FilterScope, around: Around) => unknown;

const readers: Record<Takes, Reader> = {
  value: (field, value, { where }) => parseValue(field, value, where),
  ordered: parseOrdered,
  list: parseList,
  flag: (_field, value, { where }) => {
    if (typeof value !== 'boolean') throw malformed(message('query.trueOrFalse', { where }));
    return value;
  },
  type: (_field, value, { where }) => {
    if (isTypeName(value) || (Array.isArray(value) && isTypeList(value))) return value;
    throw malformed(message('query.typeNames', { where, types: typeNames.join(', ') }));
  },
  length: parseLength,
  pattern: parsePattern,
  options: (_field, value, { where }, { node }) => {
    if (!Object.hasOwn(node, '$regex')) throw malformed(message('query.besideRegex', { where }));
    return guardRegexOptions(value, where);
  },
  condition: (field, value, scope, { parseElement }) => {
    const isOperators = isPlainObject(value) && Object.keys(value).length > 0;
    if (!isOperators) throw malformed(message('query.objectOfOperators', { where: scope.where }));
    return parseOperators(field, value, deeper(scope), parseElement);
  },
  element: parseElementCondition,
};

function parseValue(field: Field, value: unknown, where: string): unknown {
  if (Array.isArray(value) && field.kind !== 'free') {
    throw malformed(message('query.equalsList', { where }));
  }
  return castValue(field, value, where);
}

function isTypeName(value: unknown): value is string {
  return typeof value === 'string' && typeNames.includes(value);
}

/** As in MongoDB, a value needs to have only one of the listed types. */
function isTypeList(values: readonly unknown[]): boolean {
  return values.length > 0 && values.length <= typeNames.length && values.every(isTypeName);
}

function parseOrdered(field: Field, value: unknown, { where }: FilterScope): unknown {
  if (field.kind === 'boolean') throw malformed(message('query.noOrder', { where }));
  if (typeof value !== 'number' && typeof value !== 'string') {
    throw malformed(message('query.comparable', { where }));
  }
  return castValue(field, value, where);
}

function parseList(field: Field, value: unknown, { where }: FilterScope): unknown[] {
  if (!Array.isArray(value) || value.length > queryLimits.listMax) {
    throw malformed(message('query.listOfValues', { where, max: queryLimits.listMax }));
  }
  return value.map((each: unknown, index) => {
    if (isPlainObject(each) && Object.keys(each).some((key) => key.startsWith('$'))) {
      throw malformed(message('query.valuesOnly', { where }));
    }
    return parseValue(field, each, `${where}.${index}`);
  });
}

function parseLength(field: Field, value: unknown, { where }: FilterScope): number {
  requireList(field, where);
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 100_000) return value;
  throw malformed(message('query.sizeRange', { where }));
}

function parsePattern(field: Field, value: unknown, scope: FilterScope, { node }: Pick<Around, 'node'>): string {
  const { where, budget } = scope;
  if (field.kind !== 'string' && field.kind !== 'free') throw malformed(message('query.forStrings', { where }));
  if (typeof value !== 'string') throw malformed(message('query.string', { where }));
  const options = typeof node.$options === 'string' ? node.$options : '';
  budget.spendRegex(keyOfPattern(field, value, options) !== undefined);
  return guardRegex({ source: value, options, texts: field.texts, where });
}

function parseElementCondition(field: Field, value: unknown, scope: FilterScope, { parseElement }: Around): Condition {
  requireList(field, scope.where);
  const isOfFields = isPlainObject(value) && Object.keys(value).every((name) => operandKind(name) === undefined);
  if (field.kind === 'object' || (field.kind === 'free' && isOfFields)) return parseElement(field, value, scope);
  const isOperators = isPlainObject(value) && Object.keys(value).length > 0;
  if (!isOperators) throw malformed(message('query.objectOfOperators', { where: scope.where }));
  return parseOperators({ ...field, isArray: false }, value, deeper(scope), parseElement);
}

function requireList(field: Field, where: string): void {
  if (!field.isArray && field.kind !== 'free') throw malformed(message('query.forLists', { where }));
}
