import type { TSchema } from '@sinclair/typebox';
import { type FactType, typeOfShape } from '../format/factType';
import { quotedName, quotedPattern, stepText } from '../language/path';

/** The paths of one type: what follows the `$` of a path, as a regular expression. */
export interface PathsOfType {
  type: FactType;
  pattern: string;
}

const quoted = `\\[${quotedPattern}\\]`;
const plainRest = `(\\.[\\w-]+|\\[\\d+\\]|${quoted})*`;
const anyRest = `(\\.[\\w-]+|\\[(\\d+|\\*)\\]|${quoted})*`;

/** The paths into a fact of this shape, by the type of what they select. */
export function pathsByType(shape: TSchema): PathsOfType[] {
  const found = new Map<string, PathsOfType>();
  for (const [key, { type, patterns }] of pathPatterns(shape, false))
    found.set(key, { type, pattern: alternatives(patterns) });
  return [...found.values()];
}

/** Paths that an editor proposes: every part by its name, elements of lists with `[*]`. */
export function proposedPaths(shape: TSchema | undefined, start = '$'): string[] {
  if (shape === undefined) return [];
  const { kind } = typeOfShape(shape);
  if (kind === 'list') return [start, ...proposedPaths(shape.items, `${start}[*]`).slice(shape.items ? 0 : 1)];
  const properties: Record<string, TSchema> = kind === 'object' ? shape.properties : {};
  const own = Object.entries(properties).flatMap(([name, part]) => proposedPaths(part, `${start}${stepText(name)}`));
  return start === '$' ? own : [start, ...own];
}

type Patterns = Map<string, { type: FactType; patterns: string[] }>;

/** `isMany`: a step before selects all elements, so that the result is a list. */
function pathPatterns(shape: TSchema | undefined, isMany: boolean): Patterns {
  const type: FactType = shape === undefined ? { kind: 'any' } : typeOfShape(shape);
  const found: Patterns = new Map();
  const isNameless = type.kind === 'object' && Object.keys(shape?.properties ?? {}).length === 0;
  if (type.kind === 'any' || isNameless) {
    add(found, { kind: 'any' }, isMany, isMany ? anyRest : plainRest);
    if (!isMany) add(found, { kind: 'any' }, true, `${plainRest}\\[\\*\\]${anyRest}`);
    return found;
  }
  add(found, type, isMany, '');
  if (type.kind === 'list') {
    join(found, "(\\.\\d+|\\[\\d+\\]|\\['\\d+'\\])", pathPatterns(shape?.items, isMany));
    join(found, '\\[\\*\\]', pathPatterns(shape?.items, true));
    add(found, { kind: 'number' }, isMany, "(\\.length|\\['length'\\])");
  }
  if (type.kind === 'object') {
    add(found, { kind: 'any' }, true, `\\[\\*\\]${anyRest}`);
    for (const [name, part] of Object.entries<TSchema>(shape?.properties ?? {}))
      join(found, stepPattern(name), pathPatterns(part, isMany));
  }
  return found;
}

function join(found: Patterns, step: string, parts: Patterns): void {
  for (const [key, { type, patterns }] of parts) {
    const known = found.get(key) ?? { type, patterns: [] };
    known.patterns.push(`${step}${alternatives(patterns)}`);
    found.set(key, known);
  }
}

function add(found: Patterns, selected: FactType, isMany: boolean, pattern: string): void {
  const type: FactType = isMany ? { kind: 'list', item: selected } : selected;
  const key = JSON.stringify(type);
  const known = found.get(key) ?? { type, patterns: [] };
  known.patterns.push(pattern);
  found.set(key, known);
}

function alternatives(patterns: readonly string[]): string {
  const [only = ''] = patterns;
  return patterns.length === 1 ? only : `(${patterns.join('|')})`;
}

function stepPattern(name: string): string {
  const inQuotes = `\\[${escaped(quotedName(name))}\\]`;
  return /^[\w-]+$/.test(name) ? `(\\.${name}|${inQuotes})` : inQuotes;
}

function escaped(text: string): string {
  return text.replace(/[$()*+.?[\\\]^{|}/]/g, '\\$&');
}
