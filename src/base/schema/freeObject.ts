/** Deepest nesting that any body or extension sub-document may have. */
export const depthMax = 32;

/**
 * Finds the fault that makes a JSON object unfit for storage:
 * - a key that is empty, `__proto__` or `_bsontype`, contains a NUL or a dot, or starts with `$`;
 * - a number that overflows to infinity (1e400);
 * - nesting deeper than {@link depthMax}.
 *
 * The search is iterative, so that deep nesting from an attacker cannot exhaust the stack.
 * @returns the offending key, or `depth`; undefined when the object is fit
 */
export function freeObjectFault(value: object): string | undefined {
  const waiting: { node: object; depth: number }[] = [{ node: value, depth: 1 }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (next.depth > depthMax) return 'depth';
    for (const [key, child] of Object.entries(next.node)) {
      if (!Array.isArray(next.node) && isUnfitKey(key)) return key;
      if (typeof child === 'number' && !Number.isFinite(child)) return key;
      if (typeof child === 'object' && child !== null) waiting.push({ node: child, depth: next.depth + 1 });
    }
  }
  return undefined;
}

/**
 * The most values that free fields of a record (`ext`, `address`) may hold, nested ones counted. A list of a thousand
 * records is read and answered in turns with other requests, and one record takes no turn for itself.
 */
export const freeValuesMax = 1000;

/** Tells whether an object holds at most so many values, objects and lists in it counted. */
export function hasAtMost(max: number, value: object): boolean {
  let count = 0;
  const waiting: object[] = [value];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    for (const child of Object.values(next)) {
      count += 1;
      if (count > max) return false;
      if (typeof child === 'object' && child !== null) waiting.push(child);
    }
  }
  return true;
}

/** Keys with a special meaning: `__proto__` in JavaScript, `_bsontype` in the MongoDB driver. */
export const refusedKeys = ['__proto__', '_bsontype'] as const;

function isUnfitKey(key: string): boolean {
  return (
    key === '' ||
    refusedKeys.some((refused) => refused === key) ||
    key.startsWith('$') ||
    key.includes('.') ||
    key.includes('\0')
  );
}

/** Tells whether a parsed JSON value nests deeper than {@link depthMax}. Must run before any recursive function. */
export function isTooDeep(value: unknown): boolean {
  let level = [value].filter(isNode);
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > depthMax) return true;
    level = level.flatMap((node) => Object.values(node).filter(isNode));
  }
  return false;
}

function isNode(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
