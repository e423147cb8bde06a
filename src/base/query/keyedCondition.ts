import type { KeyedField } from '#base/schema/resource';
import type { Field } from './fields';
import type { Filter } from './filter';

type Condition = Record<string, unknown>;

/**
 * Makes the filter of a parsed condition. The values of a keyed field are found by its keys, so every writing of a value
 * finds it, by an index. Any other condition compares the field itself.
 */
export function conditionOnField({ path, keyed }: Pick<Field, 'path' | 'keyed'>, condition: Condition): Filter {
  if (!keyed) return { [path]: condition };
  const { $regex, $options, ...others } = condition;
  const values = Object.entries(others).flatMap(([name, value]) => operatorFilters({ path, keyed }, name, value));
  return conjunction(
    typeof $regex === 'string' ? [...values, ...patternFilters({ path, keyed }, $regex, $options)] : values,
  );
}

/** Joins filters that must all be met: into one, where no two of them have the same key. */
export function conjunction(filters: readonly Filter[]): Filter {
  const names = filters.flatMap((filter) => Object.keys(filter));
  return new Set(names).size === names.length ? Object.assign({}, ...filters) : { $and: [...filters] };
}

/**
 * The key of all values that match a pattern, when it is the beginning of a word such as `^smi`; undefined otherwise.
 * With `m` in its options it is compared with each line, so then there is no key.
 */
export function keyOfPattern({ keyed }: Pick<Field, 'keyed'>, pattern: string, options: unknown): string | undefined {
  const [, letters] = /^\^(\p{L}+)\$?$/u.exec(pattern) ?? [];
  const isOfLines = typeof options === 'string' && options.includes('m');
  return letters === undefined || isOfLines ? undefined : keyed?.beginningOf?.(letters);
}

interface KeyedPath {
  path: string;
  keyed: KeyedField;
}

function operatorFilters(field: KeyedPath, operator: string, value: unknown): Filter[] {
  const values = Array.isArray(value) ? value : [value];
  if (operator === '$eq' || operator === '$in') return [keyedEquality(field, values)];
  if (operator === '$ne' || operator === '$nin') return [{ $nor: [keyedEquality(field, values)] }];
  if (operator === '$all') return values.map((each) => keyedEquality(field, [each]));
  if (operator === '$not') return [{ $nor: [conditionOnField(field, Object(value))] }];
  return [{ [field.path]: { [operator]: value } }];
}

/** A record without the field has no key that says so. */
function keyedEquality({ path, keyed }: KeyedPath, values: readonly unknown[]): Filter {
  const keys = values.flatMap((value) => (typeof value === 'string' ? keyed.keysOf(value) : []));
  const found = { [keyed.list]: keys.length === 1 ? { $eq: keys[0] } : { $in: keys } };
  if (!values.includes(null)) return found;
  return { $or: [{ [path]: { $eq: null } }, ...(keys.length > 0 ? [found] : [])] };
}

function patternFilters(field: KeyedPath, $regex: string, $options: unknown): Filter[] {
  const { path, keyed } = field;
  const matches = { $regex, ...($options === undefined ? {} : { $options }) };
  if (keyed.hasValues) return [{ [keyed.list]: matches }];
  const key = keyOfPattern(field, $regex, $options);
  return [...(key === undefined ? [] : [{ [keyed.list]: { $eq: key } }]), { [path]: matches }];
}
