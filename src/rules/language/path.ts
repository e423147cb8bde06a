import { LRUCache } from 'lru-cache';
import { RE2JS } from 're2js';
import { pathMax } from './factRef';

/** The paths a rule may use: names after a dot, indexes, `*`, and quoted names in brackets. */
export const pathPattern = "^\\$(\\.[\\w-]+|\\[(\\d+|\\*|'[^'\\]]{1,64}')\\])*$";

const linearPathPattern = RE2JS.compile(pathPattern);

/** Tells whether a text is a path that rules may use. */
export function isPath(text: string): boolean {
  return text.length <= pathMax && linearPathPattern.matcher(text).matches();
}

const step = /\.([\w-]+)|\[(?:(\d+)|(\*)|'([^'\]]{1,64})')\]/g;

/** One step of a path: into every child, or to the own property or element of this name. */
export type PathStep = { all: true } | { all: false; name: string };

/**
 * The steps of a path that {@link isPath}. A quoted name is always that name: `['*']` is a property called
 * `*` here, while jsonpath-plus gives some quoted characters (`* , ; ^ ( ? : @` and others) a meaning of their own.
 */
export function parsePath(path: string): PathStep[] {
  return [...path.matchAll(step)].map(([, dotted, index, star, quoted]) =>
    star === undefined ? { all: false, name: dotted ?? index ?? quoted ?? '' } : { all: true },
  );
}

/** Gives what a path selects of a value. */
export type Accessor = (value: unknown) => unknown;

/**
 * What a path selects of a value, as jsonpath-plus answers with `wrap: false`: a path with `[*]` gives a list of all
 * matches, any other the one value; undefined when nothing matches. Reads own properties only.
 */
export function resolvePath(value: unknown, path: string): unknown {
  return compilePath(path)(value);
}

/**
 * The part of a fact that a path selects. As json-rules-engine: without a path, or of something that is no object, it is
 * the thing itself.
 */
export function partOf(path: string | undefined): Accessor {
  if (path === undefined) return whole;
  const select = compilePath(path);
  return (value) => (typeof value === 'object' && value !== null ? select(value) : value);
}

function whole(value: unknown): unknown {
  return value;
}

/** Paths come from rule sets, which are bounded; the limit only guards against a stream of ever new sets. */
const accessors = new LRUCache<string, Accessor>({ max: 10_000 });

/** What {@link resolvePath} answers for this path, with its steps read once. */
function compilePath(path: string): Accessor {
  const known = accessors.get(path);
  if (known) return known;
  const made = accessorOf(parsePath(path));
  accessors.set(path, made);
  return made;
}

function accessorOf(steps: readonly PathStep[]): Accessor {
  if (steps.some(({ all }) => all)) return manyOf(steps);
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

function manyOf(steps: readonly PathStep[]): Accessor {
  const collect = steps.reduceRight<Collect>(before, (value, found) => {
    found.push(value);
  });
  return (value) => {
    const found: unknown[] = [];
    collect(value, found);
    return found.length === 0 ? undefined : found;
  };
}

/** A step and then what follows it. */
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
  // A text has own properties too (`length`, its characters): jsonpath-plus sees them, so they are seen here.
  return Boolean(value) && Object.hasOwn(value as object, name);
}
