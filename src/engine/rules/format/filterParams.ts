import { Type } from '@sinclair/typebox';
import { message, pickMessage } from '#base/common/messages/message';
import { record } from '#base/schema/atoms';
import { compileParse } from '#base/schema/parse';
import { readFilter } from '#engine/filters/filterCriteria';
import { filterFields } from '#engine/filters/filterFields';
import { filterShape } from '#records/catalog/filterShape';
import type { FactParams } from '../language/factParams';
import type { FactRef } from '../language/factRef';
import { makeShapeCheck } from '../source/checkShape';
import { didYouMean } from '../source/nearest';
import type { JsonPath, RuleSource } from '../source/ruleSource';
import type { NamedListReference, RuleReferences } from './ruleReferences';

const shape = record({
  filter: Type.Optional({
    ...filterShape,
    description: 'Product filter: {"inclusionParams": {"category": {"searchStr": "Coffee,Tea"}}}; left out: all items',
  }),
});
const checkShape = makeShapeCheck(shape);
const parseParams = compileParse(shape);

/**
 * The params of `eligibleAmount` and `eligibleQuantity`: an optional product filter (docs/design/definitions.md). A
 * category or SKU that no product has causes a warning, when those of all products are known.
 */
export function eligibleParams(lists: readonly NamedListReference[], codes: RuleReferences['codes']): FactParams {
  return {
    shape,
    warn: (source, at, params) => warnOfUnknown(source, [...at, 'filter', 'inclusionParams'], params, codes),
    check: (source, at, params) =>
      checkShape(source, at, params) && checkFilter(source, [...at, 'filter'], params, lists),
  };
}

function checkFilter(source: RuleSource, at: JsonPath, params: unknown, lists: readonly NamedListReference[]): boolean {
  const before = source.faultCount;
  const parsed = parseParams(structuredClone(params));
  for (const { path, ...fault } of readFilter(parsed.filter ?? {}, filterFields.Product).faults) {
    source.error([...at, ...path.split('.')], message('rules.atPath', { path, fault: pickMessage(fault) }));
  }
  const id = listOfFilter({ ...parsed, filter: Reflect.get(Object(params), 'filter') });
  if (id !== undefined) checkList(source, [...at, 'inclusionparamsnamedList'], id, lists);
  return source.faultCount === before;
}

function warnOfUnknown(source: RuleSource, at: JsonPath, params: unknown, codes: RuleReferences['codes']): void {
  const { criteria = [] } =
    readFilter(parseParams(structuredClone(params)).filter ?? {}, filterFields.Product).criteria ?? {};
  for (const [path, words, what] of [
    ['category', codes?.categories, 'category'],
    ['sku', codes?.skus, 'SKU'],
  ] as const) {
    const values = criteria.flatMap((each) => (each.path === path ? each.values : []));
    for (const value of values.map(String)) {
      if (!words || words.includes(value)) continue;
      source.warning([...at, path], didYouMean(message('rules.noProductWith', { what, value }), value, words));
    }
  }
}

function checkList(source: RuleSource, at: JsonPath, id: string, lists: readonly NamedListReference[]): void {
  const list = lists.find((each) => each.id === id);
  if (!list) source.error(at, message('rules.noNamedListWithId', { id }));
  else if (list.model !== undefined && list.model !== 'Product') {
    source.error(at, message('rules.namedListOfOther', { list: list.name, model: list.model }));
  }
}

/** The hexadecimal id of the named list in the filter of some params. */
export function listOfFilter(params: FactRef['params']): string | undefined {
  const filter = params?.filter;
  const id =
    typeof filter === 'object' && filter !== null ? Reflect.get(filter, 'inclusionparamsnamedList') : undefined;
  return typeof id === 'string' ? id.toLowerCase() : undefined;
}
