import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { ObjectId } from 'bson';
import type { Resource } from '#base/schema/resource';
import { changedMax, sideMaxChars } from '#records/users/auditEntry';
import { inJson } from './entryHash';

/** A change for the audit log, without who made it. `before` and `after` must hold no secret and no personal data. */
export interface Change {
  action: string;
  /** Path of the resource. */
  resource: string;
  id: string | ObjectId;
  changed?: readonly string[];
  before?: object | undefined;
  after?: object | undefined;
}

/** A record before and after a change; a creation has no `before`, a deletion no `after`. */
interface Sides {
  before?: object | undefined;
  after?: object | undefined;
}

/** Fields that every update sets. */
const stamps = new Set(['updatedAt', 'updatedBy', 'version']);

/** The change of one record of a resource, without hidden fields; those are only named when they changed. */
export function recordChange(
  { path, hidden }: Pick<Resource, 'path' | 'hidden'>,
  { action, id }: Pick<Change, 'action' | 'id'>,
  { before, after }: Sides,
  leftOut: readonly string[] = hidden,
): Change {
  return {
    action,
    resource: path,
    id,
    ...(before && after ? { changed: changedNames(before, after) } : {}),
    before: before && without(before, leftOut),
    after: after && without(after, leftOut),
  };
}

function changedNames(before: object, after: object): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const [old, now] = [inJson(before), inJson(after)];
  return [...names]
    .filter((name) => !stamps.has(name) && !isDeepStrictEqual(old[name], now[name]))
    .sort()
    .slice(0, changedMax);
}

function without(doc: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(doc).filter(([name]) => !names.includes(name)));
}

/** The sides of a change as an entry stores them: in JSON, and bounded. */
export function storedSides({ before, after }: Sides) {
  const sides = Object.entries({ before, after }).flatMap(([name, side]) => (side ? [{ name, ...bounded(side) }] : []));
  const omitted = sides.reduce((sum, side) => sum + side.omitted, 0);
  return {
    ...Object.fromEntries(sides.map(({ name, shown }) => [name, shown])),
    ...(omitted > 0 ? { omitted } : {}),
  };
}

/** Replaces the largest fields by their size and hash until the record has at most {@link sideMaxChars}. */
function bounded(side: object): { shown: Record<string, unknown>; omitted: number } {
  const shown = inJson(side);
  const sizes = Object.entries(shown).map(([name, value]) => ({ name, chars: JSON.stringify(value).length }));
  let total = JSON.stringify(shown).length;
  let omitted = 0;
  for (const { name, chars } of sizes.sort((a, b) => b.chars - a.chars)) {
    if (total <= sideMaxChars) break;
    const text = JSON.stringify(shown[name]);
    shown[name] = { omittedChars: chars, sha256: hash('sha256', text, 'hex') };
    total += JSON.stringify(shown[name]).length - chars;
    omitted += 1;
  }
  return { shown, omitted };
}
