import { malformed } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import type { Field, FieldTable } from './fields';
import { requireField } from './parseFilter';
import { parseJsonArgument } from './parseJsonArgument';
import { queryLimits } from './queryLimits';
import { quote } from './quote';

/** The order of a read: 1 is ascending, -1 descending. The first key comes first. */
export type Sort = Record<string, 1 | -1>;

/** The default order: by creation. */
export const defaultSort: Sort = { _id: 1 };

/**
 * Parses `sort`: `a`, `-a,b`, or JSON with 1 and -1; at most 4 keys. `_id` is added as the last key, so that pages
 * neither repeat nor miss records that are equal in the other keys.
 * @throws ServiceError 1210
 */
export function parseSort(text: string, fields: FieldTable): Sort {
  const entries = text.trimStart().startsWith('{') ? jsonEntries(text) : wordEntries(text);
  if (entries.length === 0) throw malformed(message('query.sortEmpty'));
  if (entries.length > queryLimits.sortMax) throw malformed(message('query.sortTooMany', { max: queryLimits.sortMax }));
  const sort: Sort = {};
  const named = entries.map(([name, direction]) => {
    const field = requireField(fields, name, 'sort');
    if (Object.hasOwn(sort, field.path)) throw malformed(message('query.sortTwice', { name: quote(name) }));
    if (field.kind === 'object') throw malformed(message('query.sortObject', { name: quote(name) }));
    sort[field.path] = direction;
    return field;
  });
  refuseParallelLists(named);
  return Object.hasOwn(sort, '_id') ? sort : { ...sort, ...defaultSort };
}

function wordEntries(text: string): [string, 1 | -1][] {
  return text
    .split(/[\s,]+/)
    .filter((word) => word !== '')
    .map((word) => (word.startsWith('-') ? [word.slice(1), -1] : [word, 1]));
}

function jsonEntries(text: string): [string, 1 | -1][] {
  return Object.entries(parseJsonArgument('sort', text)).map(([name, value]) => {
    if (value !== 1 && value !== -1) throw malformed(message('query.sortDirection', { name: quote(name) }));
    return [name, value];
  });
}

/** MongoDB cannot sort by fields of two lists unless one list is inside the other. */
function refuseParallelLists(fields: readonly Field[]): void {
  const innermost = new Set(fields.flatMap(({ arrays }) => arrays.slice(-1)));
  const isParallel = [...innermost].some((list) =>
    [...innermost].some(
      (other) => list !== other && !`${list}.`.startsWith(`${other}.`) && !`${other}.`.startsWith(`${list}.`),
    ),
  );
  if (isParallel) throw malformed(message('query.sortTwoLists'));
}
