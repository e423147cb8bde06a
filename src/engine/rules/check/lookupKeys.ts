import { message } from '#base/common/messages/message';
import { type FactType, kindWords } from '../format/factType';
import { type FactRef, isFactRef, refText } from '../language/factRef';
import { readTableParams } from '../language/tableParams';
import type { LookupColumn } from '../lookup/lookupTable';
import type { JsonPath, RuleSource } from '../source/ruleSource';

/** Gives the type of a reference; undefined after reporting its fault. */
type TypeAt = (at: JsonPath, ref: FactRef) => FactType | undefined;

/**
 * Checks that the keys of a lookup have the kinds of their columns. Reports every key that can never be found.
 * @param at path of the keys
 */
export function areFitKeys(
  source: RuleSource,
  at: JsonPath,
  { columns, params }: { columns: readonly LookupColumn[]; params: unknown },
  typeAt: TypeAt,
): boolean {
  const before = source.faultCount;
  const keys = columns.length === 0 ? [] : (readTableParams(params)?.keys ?? []);
  for (const [index, key] of keys.entries()) {
    const column = columns[index];
    const place = [...at, index];
    const [kind, name] = isFactRef(key)
      ? [typeAt(place, key)?.kind ?? 'any', refText(key)]
      : [kinds[typeof key], JSON.stringify(key)];
    if (!column || kind === 'any' || kind === column.kind) continue;
    source.error(
      place,
      message('rules.keyOfOtherType', {
        name,
        kind: kindWords[kind ?? 'object'],
        column: column.name,
        values: plurals[column.kind],
      }),
    );
  }
  return source.faultCount === before;
}

const kinds: Readonly<Record<string, LookupColumn['kind']>> = { string: 'text', number: 'number', boolean: 'boolean' };
const plurals = {
  text: message('words.texts'),
  number: message('words.numbers'),
  boolean: message('words.trueAndFalse'),
};
