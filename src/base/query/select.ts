import { malformed } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import type { Field, FieldTable } from './fields';
import { requireField } from './parseFilter';
import { parseJsonArgument } from './parseJsonArgument';
import { queryLimits } from './queryLimits';
import { quote } from './quote';

/** The fields of an answer: 1 for only these fields, 0 for all but these. `_id` may differ from the other fields. */
export type Projection = Record<string, 0 | 1>;

/**
 * Parses `select`: `a,b` or `a b`, `-a`, or JSON with 0 and 1.
 * @throws ServiceError 1210 for unknown fields, a mixture of 0 and 1, or a field together with a field inside it
 */
export function parseSelect(text: string, fields: FieldTable): Projection {
  const entries = text.trimStart().startsWith('{') ? jsonEntries(text) : wordEntries(text);
  if (entries.length === 0) throw malformed(message('query.selectEmpty'));
  if (entries.length > queryLimits.selectMax)
    throw malformed(message('query.selectTooMany', { max: queryLimits.selectMax }));
  const projection: Projection = {};
  for (const [name, value] of entries) {
    const field = requireField(fields, name, 'select');
    refusePositions('select', [field]);
    const { path } = field;
    if (Object.hasOwn(projection, path)) throw malformed(message('query.selectTwice', { name: quote(path) }));
    projection[path] = value;
  }
  refuseNested(Object.keys(projection));
  return unmixed(projection);
}

function wordEntries(text: string): [string, 0 | 1][] {
  return text
    .split(/[\s,]+/)
    .filter((word) => word !== '')
    .map((word) => (word.startsWith('-') ? [word.slice(1), 0] : [word, 1]));
}

function jsonEntries(text: string): [string, 0 | 1][] {
  return Object.entries(parseJsonArgument('select', text)).map(([name, value]) => {
    if (value !== 0 && value !== 1) throw malformed(message('query.selectZeroOrOne', { name: quote(name) }));
    return [name, value];
  });
}

/**
 * Refuses fields with a position in a list, for arguments that always mean whole lists.
 * @throws ServiceError 1210
 */
export function refusePositions(argument: string, fields: readonly Field[]): void {
  const field = fields.find(({ hasPosition }) => hasPosition);
  if (!field) return;
  throw malformed(message('query.noPosition', { argument, name: quote(field.path) }));
}

/** MongoDB refuses a projection that names a field together with a field inside it. */
function refuseNested(paths: readonly string[]): void {
  const named = new Set(paths);
  for (const path of paths) {
    const outer = ancestors(path).find((ancestor) => named.has(ancestor));
    if (outer) throw malformed(message('query.selectOverlaps', { name: quote(path), other: quote(outer) }));
  }
}

/** Returns the paths of all objects that contain a path, outermost first: `a`, `a.b` for `a.b.c`. */
export function ancestors(path: string): string[] {
  const segments = path.split('.');
  return segments.slice(1).map((_, index) => segments.slice(0, index + 1).join('.'));
}

function unmixed(projection: Projection): Projection {
  const others = Object.entries(projection).filter(([path]) => path !== '_id');
  const hasIncluded = others.some(([, value]) => value === 1);
  const hasExcluded = others.some(([, value]) => value === 0);
  if (hasIncluded && hasExcluded) throw malformed(message('query.selectMixed'));
  // `_id` is answered anyway when other fields are excluded, but MongoDB would read `_id: 1` as an inclusion.
  return hasExcluded && projection._id === 1 ? Object.fromEntries(others) : projection;
}

/** Tells whether a projection names the fields to answer. Otherwise it names the fields to leave out. */
export function isInclusive(projection: Projection): boolean {
  const entries = Object.entries(projection);
  const others = entries.filter(([path]) => path !== '_id');
  return (others.length > 0 ? others : entries).some(([, value]) => value === 1);
}
