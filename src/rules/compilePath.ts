import { hasOwn, parsePath, type Step } from './path';

/** Gives what a path selects of a value. */
export type Accessor = (value: unknown) => unknown;

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
