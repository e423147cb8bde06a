import { hasOwn, parsePath, type Step } from './path';

/** Gives what a path selects of a value. */
export type Accessor = (value: unknown) => unknown;

/** Paths come from rule sets, which are bounded; the limit only guards against a stream of ever new sets. */
const partsMax = 10_000;
const parts = new Map<string, Accessor>();

/**
 * The part of a fact that a path selects, compiled once. As json-rules-engine: without a path, or of something that is no
 * object, it is the thing itself.
 */
export function partOf(path: string | undefined): Accessor {
  if (path === undefined) return whole;
  const known = parts.get(path);
  if (known) return known;
  if (parts.size >= partsMax) parts.clear();
  const select = compilePath(path);
  const part: Accessor = (value) => (typeof value === 'object' && value !== null ? select(value) : value);
  parts.set(path, part);
  return part;
}

function whole(value: unknown): unknown {
  return value;
}

/** What `resolvePath` answers for this path, with its steps read once. */
export function compilePath(path: string): Accessor {
  const steps = parsePath(path);
  if (steps.some(({ all }) => all)) return manyOf(steps);
  const names = steps.flatMap((step) => (step.all ? [] : [step.name]));
  const [first, second] = names;
  if (first === undefined) return (value) => value;
  if (second === undefined) return (value) => own(value, first);
  if (names.length === 2) return (value) => own(own(value, first), second);
  return (value) => names.reduce(own, value);
}

function own(value: unknown, name: string): unknown {
  return hasOwn(value, name) ? value[name] : undefined;
}

type Collect = (value: unknown, found: unknown[]) => void;

function manyOf(steps: readonly Step[]): Accessor {
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
function before(next: Collect, step: Step): Collect {
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
