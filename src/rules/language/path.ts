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
