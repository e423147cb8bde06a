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
export type Step = { all: true } | { all: false; name: string };

/**
 * The steps of a path that {@link isPath}. A quoted name is always that name: `['*']` is a property called
 * `*` here, while jsonpath-plus gives some quoted characters (`* , ; ^ ( ? : @` and others) a meaning of their own.
 */
export function parsePath(path: string): Step[] {
  return [...path.matchAll(step)].map(([, dotted, index, star, quoted]) =>
    star === undefined ? { all: false, name: dotted ?? index ?? quoted ?? '' } : { all: true },
  );
}

/**
 * What a path selects of a value, as jsonpath-plus answers with `wrap: false`: a path with `[*]` gives a list of all
 * matches, any other the one value; undefined when nothing matches. Reads own properties only.
 */
export function resolvePath(value: unknown, path: string): unknown {
  const { steps, many } = parsed(path);
  if (!many) return follow(value, steps);
  const found = collect(value, steps, 0, []);
  return found.length === 0 ? undefined : found;
}

interface ParsedPath {
  steps: readonly Step[];
  many: boolean;
}

/** Paths come from rule sets, which are bounded; the limit only guards against a stream of ever new sets. */
const memoMax = 10_000;
const memo = new Map<string, ParsedPath>();

function parsed(path: string): ParsedPath {
  const known = memo.get(path);
  if (known) return known;
  if (memo.size >= memoMax) memo.clear();
  const steps = parsePath(path);
  const result = { steps, many: steps.some(({ all }) => all) };
  memo.set(path, result);
  return result;
}

function follow(value: unknown, steps: readonly Step[]): unknown {
  let current = value;
  for (const next of steps) {
    if (next.all || !hasOwn(current, next.name)) return undefined;
    current = current[next.name];
  }
  return current;
}

function collect(value: unknown, steps: readonly Step[], from: number, found: unknown[]): unknown[] {
  const next = steps[from];
  if (next === undefined) {
    found.push(value);
  } else if (next.all) {
    const children = typeof value === 'object' && value !== null ? Object.values(value) : [];
    for (const child of children) collect(child, steps, from + 1, found);
  } else if (hasOwn(value, next.name)) {
    collect(value[next.name], steps, from + 1, found);
  }
  return found;
}

/** Tells whether a value has an own property of this name. */
export function hasOwn(value: unknown, name: string): value is Record<string, unknown> {
  // A text has own properties too (`length`, its characters): jsonpath-plus sees them, so they are seen here.
  return Boolean(value) && Object.hasOwn(value as object, name);
}
