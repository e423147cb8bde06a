import { LRUCache } from 'lru-cache';
import { RE2JS } from 're2js';
import { pathMax } from './factRef';

/** A name in quotes. A quote within it is doubled, so that every name can be written. */
export const quotedPattern = "'(?:[^']|''){1,200}'";

/** The paths that a rule may use: names after a dot, indexes, `*`, and quoted names in brackets. */
export const pathPattern = `^\\$(\\.[\\w-]+|\\[(\\d+|\\*|${quotedPattern})\\])*$`;

const linearPathPattern = RE2JS.compile(pathPattern);

/** Tells whether a string is a path that rules may use. */
export function isPath(text: string): boolean {
  return text.length <= pathMax && linearPathPattern.matcher(text).matches();
}

const step = /\.([\w-]+)|\[(?:(\d+)|(\*)|'((?:[^']|'')+)')\]/g;

/** One step of a path: to every child, or to the own property or element with this name. */
export type PathStep = { all: true } | { all: false; name: string };

/**
 * The steps of a path that passes {@link isPath}. A quoted name is always a plain name: here `['*']` is the property
 * `*`, while jsonpath-plus gives some quoted characters (`* , ; ^ ( ? : @` and others) a special meaning.
 */
export function parsePath(path: string): PathStep[] {
  return [...path.matchAll(step)].map(([, dotted, index, star, quoted]) =>
    star === undefined ? { all: false, name: dotted ?? index ?? quoted?.replaceAll("''", "'") ?? '' } : { all: true },
  );
}

/** The step of a path to the part with this name. */
export function stepText(name: string): string {
  return /^[\w-]+$/.test(name) ? `.${name}` : `[${quotedName(name)}]`;
}

/** A name in the quotes of a path. */
export function quotedName(name: string): string {
  return `'${name.replaceAll("'", "''")}'`;
}

/** Selects the part of a value at a path. */
export type Accessor = (value: unknown) => unknown;

/**
 * The part of a value at a path, like jsonpath-plus with `wrap: false`: a list of all matches for a path with `[*]`,
 * the single value for any other path; undefined when nothing matches. Reads own properties only.
 */
export function resolvePath(value: unknown, path: string): unknown {
  return compilePath(path)(value);
}

/**
 * Selects the part of a fact at a path. Like json-rules-engine, it returns the whole value when there is no path or the
 * value is not an object.
 */
export function factAccessor(path: string | undefined): Accessor {
  if (path === undefined) return whole;
  const select = compilePath(path);
  return (value) => (typeof value === 'object' && value !== null ? select(value) : value);
}

function whole(value: unknown): unknown {
  return value;
}

/** Rule sets have a bounded number of paths; the limit only protects against an endless series of new rule sets. */
const accessors = new LRUCache<string, Accessor>({ max: 10_000 });

/** The accessor of a path; the path is parsed once and then cached. */
function compilePath(path: string): Accessor {
  const known = accessors.get(path);
  if (known) return known;
  const made = pathAccessor(parsePath(path));
  accessors.set(path, made);
  return made;
}

function pathAccessor(steps: readonly PathStep[]): Accessor {
  if (steps.some(({ all }) => all)) return listAccessor(steps);
  const names = steps.flatMap((step) => (step.all ? [] : [step.name]));
  const [first, second] = names;
  if (first === undefined) return whole;
  if (second === undefined) return (value) => own(value, first);
  if (names.length === 2) return (value) => own(own(value, first), second);
  return (value) => names.reduce(own, value);
}

function own(value: unknown, name: string): unknown {
  return hasOwn(value, name) ? value[name] : undefined;
}

type Collect = (value: unknown, found: unknown[]) => void;

function listAccessor(steps: readonly PathStep[]): Accessor {
  const collect = steps.reduceRight<Collect>(before, (value, found) => {
    found.push(value);
  });
  return (value) => {
    const found: unknown[] = [];
    collect(value, found);
    return found.length === 0 ? undefined : found;
  };
}

/** Applies a step and then `next` to each value that the step selects. */
function before(next: Collect, step: PathStep): Collect {
  if (!step.all) {
    const { name } = step;
    return (value, found) => {
      if (hasOwn(value, name)) next(value[name], found);
    };
  }
  return (value, found) => {
    if (typeof value !== 'object' || value === null) return;
    for (const child of Array.isArray(value) ? value : Object.values(value)) next(child, found);
  };
}

/** Tells whether a value has an own property of this name. */
function hasOwn(value: unknown, name: string): value is Record<string, unknown> {
  // A string has own properties too (`length`, its characters). They count here, as in jsonpath-plus.
  return Boolean(value) && Object.hasOwn(value as object, name);
}
