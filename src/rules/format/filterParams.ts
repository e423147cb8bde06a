import { Type } from '@sinclair/typebox';
import { readFilter } from '../../catalog/filters/filterCriteria';
import { filterFields } from '../../catalog/filters/filterFields';
import { filterShape } from '../../records/catalog/filterShape';
import { record } from '../../schema/atoms';
import { compileParse } from '../../schema/parse';
import type { FactParams } from '../language/factParams';
import type { FactRef } from '../language/factRef';
import { makeShapeCheck } from '../source/checkShape';
import type { JsonPath, RuleSource } from '../source/ruleSource';
import type { NamedListReference } from './ruleReferences';

const shape = record({
  filter: Type.Optional({
    ...filterShape,
    description: 'Product filter: {"inclusionParams": {"category": {"searchStr": "Coffee,Tea"}}}; left out: all items',
  }),
});
const checkShape = makeShapeCheck(shape);
const parseParams = compileParse(shape);

/** The params of `eligibleAmount` and `eligibleQuantity`: an optional product filter (docs/design/definitions.md). */
export function eligibleParams(lists: readonly NamedListReference[]): FactParams {
  return {
    shape,
    check: (source, at, params) =>
      checkShape(source, at, params) && checkFilter(source, [...at, 'filter'], params, lists),
  };
}

function checkFilter(source: RuleSource, at: JsonPath, params: unknown, lists: readonly NamedListReference[]): boolean {
  const before = source.faultCount;
  const parsed = parseParams(structuredClone(params));
  for (const { path, message } of readFilter(parsed.filter ?? {}, filterFields.Product).faults) {
    source.error([...at, ...path.split('.')], `${path} ${message}`);
  }
  const id = listOfFilter({ ...parsed, filter: Reflect.get(Object(params), 'filter') });
  if (id !== undefined) checkList(source, [...at, 'inclusionparamsnamedList'], id, lists);
  return source.faultCount === before;
}

function checkList(source: RuleSource, at: JsonPath, id: string, lists: readonly NamedListReference[]): void {
  const list = lists.find((each) => each.id === id);
  if (!list) source.error(at, `no named list has the id ${id}`);
  else if (list.model !== undefined && list.model !== 'Product') {
    source.error(at, `the named list "${list.name}" lists ${list.model}, not Product`);
  }
}

/** The hexadecimal id of the named list in the filter of some params. */
export function listOfFilter(params: FactRef['params']): string | undefined {
  const filter = params?.filter;
  const id =
    typeof filter === 'object' && filter !== null ? Reflect.get(filter, 'inclusionparamsnamedList') : undefined;
  return typeof id === 'string' ? id.toLowerCase() : undefined;
}
